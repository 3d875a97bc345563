import { defineConfig } from '@playwright/test';
import { existsSync } from 'node:fs';

const installed = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** What Playwright 1.65 turns off in Chromium: of a switch that is given twice only the last counts, so the list stands here again. */
const OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];
/** Pop-ups of the address bar, which nobody sees here: for them each window starts a process that works for half a second. */
const POPUPS = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** A real server, a real browser, the screen of a phone. Journeys never retry: one that fails at times is a fault. */
export default defineConfig({
  testDir: 'journeys',
  testIgnore: process.env.MERIDIAN_SCREENSHOTS ? [] : 'screenshots.spec.ts',
  outputDir: 'results/runs',
  // Each has a sandbox of its own. Two leave an eighth of two processors idle, because journeys also wait.
  workers: 3,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Limits are for what never happens; how fast the machine is must not decide a journey.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // Sheets stand at once, so that what is looked at does not depend on a clock.
    contextOptions: { reducedMotion: 'reduce' },
    // To record one films every step, which is more than a quarter of the work: only when somebody looks for a fault.
    trace: process.env.MERIDIAN_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 30_000,
    launchOptions: {
      // Without an installed browser Playwright's own is used, if it is there; nothing is downloaded here.
      ...(existsSync(installed) ? { executablePath: installed } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...POPUPS].join(',')}`,
        // A camera that shows a moving figure, for those who allow it.
        '--use-fake-device-for-media-stream',
      ],
    },
  },
});
