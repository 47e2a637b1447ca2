/** What an application asked the desktop to tell its user. */
export interface DesktopNotification {
  /** The name that the application gave. */
  readonly app: string;
  readonly summary: string;
  readonly body: string;
  /** Whether something was there to show it. */
  readonly hasService: boolean;
  /** The process that sent it, as the kernel told the bus; absent if it had ended already, or is unknown. A portal or a helper sends for others. */
  readonly pid?: number | undefined;
}

export interface NotificationListener {
  readonly notified: (notification: DesktopNotification) => void;
  /** No more will be told: what carries them has ended. */
  readonly lost: () => void;
}
