/** Additions to a command that make an application accessible; one profile per toolkit or application family. */
export interface LaunchProfile {
  readonly name: string;
  /** Program file names it applies to; without this and `beside`, all programs. */
  readonly programs?: RegExp;
  /** Files next to the real program, any of which identifies the family. */
  readonly beside?: readonly string[];
  /** On every desktop: needed for accessibility. */
  readonly always?: LaunchAdditions;
  /** Only on a private desktop, where no user's profile or open windows are at risk. */
  readonly onPrivateDesktop?: LaunchAdditions;
  /** Only on a private desktop with a Wayland display. */
  readonly onPrivateWayland?: LaunchAdditions;
  /** Only on a private desktop, for root. */
  readonly onPrivateDesktopAsRoot?: LaunchAdditions;
}

/** Arguments go before the caller's. `{profile}` is a new folder; an argument with `{file:PATH}` is used only if PATH exists. */
export interface LaunchAdditions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Files to write into the new profile folder. */
  readonly profileFiles?: Readonly<Record<string, string>>;
}

const FIREFOX_PREFERENCES: Readonly<Record<string, boolean | number | string>> = {
  'app.update.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'browser.sessionstore.resume_from_crash': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore',
  'datareporting.policy.dataSubmissionEnabled': false,
  'toolkit.startup.max_resumed_crashes': -1,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
  'trailhead.firstrun.didSeeAboutWelcome': true,
  'ui.prefersReducedMotion': 1,
};

const JAVA_WRAPPER = '/usr/share/java/java-atk-wrapper.jar';

/** Applied in order. */
export const LAUNCH_PROFILES: readonly LaunchProfile[] = [
  {
    name: 'every program',
    always: {
      // Qt 6 reads the first, Firefox the second; others ignore both.
      environment: { QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1', GNOME_ACCESSIBILITY: '1' },
    },
    onPrivateDesktop: {
      // With software OpenGL, GTK 4 uses a whole core and appears late on the bus.
      environment: { GSK_RENDERER: 'cairo' },
    },
  },
  {
    name: 'Chromium and Electron',
    programs:
      /^(chromium|chromium-browser|google-chrome|chrome|brave|brave-browser|microsoft-edge|msedge|vivaldi|opera|electron\d*)(-(stable|beta|dev|unstable))?$/,
    beside: ['chrome_100_percent.pak', 'resources/app.asar'],
    always: { args: ['--force-renderer-accessibility'], environment: { ACCESSIBILITY_ENABLED: '1' } },
    onPrivateDesktop: {
      args: [
        '--user-data-dir={profile}',
        '--no-first-run',
        '--no-default-browser-check',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-default-apps',
        '--disable-gpu',
        '--disable-search-engine-choice-screen',
        '--disable-sync',
        '--hide-crash-restore-bubble',
        '--password-store=basic',
      ],
    },
    // By itself it looks for an X display.
    onPrivateWayland: { args: ['--ozone-platform=wayland'] },
    onPrivateDesktopAsRoot: { args: ['--no-sandbox'] },
  },
  {
    name: 'Firefox',
    programs: /^(firefox|firefox-esr|firefox-bin|librewolf|thunderbird|waterfox)$/,
    onPrivateDesktop: {
      args: ['--no-remote', '--profile', '{profile}'],
      profileFiles: {
        'user.js': Object.entries(FIREFOX_PREFERENCES)
          .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
          .join(''),
      },
    },
  },
  {
    name: 'LibreOffice',
    programs:
      /^(soffice|soffice\.bin|libreoffice|libreoffice\d.*|localc|lowriter|loimpress|lodraw|lomath|lobase|loffice)$/,
    // Its `gen` plugin exposes nothing.
    always: { args: ['--nologo'], environment: { SAL_USE_VCLPLUGIN: 'gtk3' } },
    onPrivateDesktop: { args: ['--norestore', '--nofirststartwizard'] },
  },
  {
    name: 'Java',
    programs: /^java$/,
    always: {
      args: [
        `{file:${JAVA_WRAPPER}}-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper`,
        `{file:${JAVA_WRAPPER}}-Xbootclasspath/a:${JAVA_WRAPPER}`,
      ],
      // The wrapper encodes characters beyond U+FFFF as invalid UTF-8, for which libdbus would abort the application.
      environment: { DBUS_FATAL_WARNINGS: '0' },
    },
  },
];
