/** Where the user's keys go. */
export interface UsersPlace {
  readonly active: number | undefined;
  readonly focus: number;
}
