/** What has to be added to a command so that the application can be read; one row per toolkit or application family. */
export interface LaunchProfile {
  readonly name: string;
  /** Program file names it applies to; all programs when neither this nor `beside` is given. */
  readonly programs?: RegExp;
  /** Files beside the real program, any of which gives the family away. */
  readonly beside?: readonly string[];
  /** On every desktop: what accessibility needs. */
  readonly always?: LaunchAdditions;
  /** Only in a desktop of our own, where nobody's profile or open windows are at stake. */
  readonly privately?: LaunchAdditions;
  /** Only in a desktop of our own, for root. */
  readonly privatelyAsRoot?: LaunchAdditions;
}

/** Arguments go before the caller's. `{profile}` is a fresh folder, `{file:PATH}` a part that only counts where PATH exists. */
export interface LaunchAdditions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Files to put into the fresh profile folder. */
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

/** Applied in order; measured with the versions in docs of the Linux adapter. */
export const LAUNCH_PROFILES: readonly LaunchProfile[] = [
  {
    name: 'every program',
    always: {
      // Qt 6 looks at the first, Firefox at the second; others ignore both.
      environment: { QT_LINUX_ACCESSIBILITY_ALWAYS_ON: '1', GNOME_ACCESSIBILITY: '1' },
    },
    privately: {
      // GTK 4 on a software OpenGL burns a core and is late on the bus.
      environment: { GSK_RENDERER: 'cairo' },
    },
  },
  {
    name: 'Chromium and Electron',
    programs:
      /^(chromium|chromium-browser|google-chrome|chrome|brave|brave-browser|microsoft-edge|msedge|vivaldi|opera|electron\d*)(-(stable|beta|dev|unstable))?$/,
    beside: ['chrome_100_percent.pak', 'resources/app.asar'],
    always: { args: ['--force-renderer-accessibility'], environment: { ACCESSIBILITY_ENABLED: '1' } },
    privately: {
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
    privatelyAsRoot: { args: ['--no-sandbox'] },
  },
  {
    name: 'Firefox',
    programs: /^(firefox|firefox-esr|firefox-bin|librewolf|thunderbird|waterfox)$/,
    privately: {
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
    // Its `gen` look exposes nothing.
    always: { args: ['--nologo'], environment: { SAL_USE_VCLPLUGIN: 'gtk3' } },
    privately: { args: ['--norestore', '--nofirststartwizard'] },
  },
  {
    name: 'Java',
    programs: /^java$/,
    always: {
      args: [
        `{file:${JAVA_WRAPPER}}-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper`,
        `{file:${JAVA_WRAPPER}}-Xbootclasspath/a:${JAVA_WRAPPER}`,
      ],
      // The wrapper sends a name with a character beyond U+FFFF as bad UTF-8, for which libdbus would end the application.
      environment: { DBUS_FATAL_WARNINGS: '0' },
    },
  },
];
