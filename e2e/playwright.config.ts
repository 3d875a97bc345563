import { defineConfig } from '@playwright/test';
import { existsSync } from 'node:fs';

const installed = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** What Playwright 1.65 disables in Chromium. Only the last of two equal switches counts, so its list is repeated here. */
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
/** Pop-ups of the address bar, which is not visible here: for each window they start a process that works for half a second. */
const POPUPS = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** A real server, a real browser, the screen of a phone. Journeys are never retried: one that fails at times is a fault. */
export default defineConfig({
  testDir: 'journeys',
  testIgnore: process.env.MERIDIAN_SCREENSHOTS ? [] : 'screenshots.spec.ts',
  outputDir: 'results/runs',
  // Each worker has its own sandbox. Two workers leave an eighth of two processors idle, because journeys also wait.
  workers: 3,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // Limits are for hangs; the speed of the machine must not decide a journey.
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
    // Sheets open without animation, so that a check does not depend on a clock.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording films every step, which is more than a quarter of the work, so it is on only when looking for a fault.
    trace: process.env.MERIDIAN_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    actionTimeout: 30_000,
    launchOptions: {
      // Without an installed browser Playwright's own is used, if present; nothing is downloaded here.
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
        // A camera that shows a moving figure, for tests that allow it.
        '--use-fake-device-for-media-stream',
      ],
    },
  },
});
