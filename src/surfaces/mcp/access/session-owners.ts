/** The sessions of one owner that it named itself. */
export interface OwnSessions {
  readonly count: number;
  has(key: string): boolean;
  /** `false` if the session belongs to another owner. */
  claim(key: string): boolean;
}

/** Who created which session by naming it: kept as long as the server runs, because connections of owners end when they are idle. */
export class SessionOwners {
  private readonly owners = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  of(owner: string): OwnSessions {
    const { owners, counts } = this;
    return {
      get count() {
        return counts.get(owner) ?? 0;
      },
      has: (key) => owners.get(key) === owner,
      claim: (key) => {
        const known = owners.get(key);
        if (known !== undefined) return known === owner;
        owners.set(key, owner);
        counts.set(owner, (counts.get(owner) ?? 0) + 1);
        return true;
      },
    };
  }
}
