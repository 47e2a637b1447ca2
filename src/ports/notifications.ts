/** A notification that a program asked the desktop to show. Its texts come from that program. */
export interface DesktopNotification {
  /** As the program calls itself. */
  readonly app: string;
  readonly title: string;
  readonly text: string;
}
