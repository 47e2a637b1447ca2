/** What an application asked the desktop to tell its user. */
export interface DesktopNotification {
  /** The name that the application gave. */
  readonly app: string;
  readonly summary: string;
  readonly body: string;
  /** Whether something was there to show it. */
  readonly hasService: boolean;
}

export interface NotificationListener {
  readonly notified: (notification: DesktopNotification) => void;
  /** No more will be told: what carries them has ended. */
  readonly lost: () => void;
}
