import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'

/** Chromium without the windows of a browser: pages run in the same engine, and starting one takes half the time. */
const SHELL = 'chromium-headless-shell'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** A Chromium for page tests: the one that CHROMIUM_PATH names, the shell, or any that findChromium finds. */
export function findChromiumShell(): string | undefined {
  return find([SHELL, ...NAMES])
}

/** A whole Chromium, for benchmarks: the one that CHROMIUM_PATH names, the system's, or Playwright's own. */
export function findChromium(): string | undefined {
  return find(NAMES)
}

function find(names: readonly string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/snap/bin']
  const candidates = [
    process.env['CHROMIUM_PATH'],
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    chromium.executablePath(),
  ]
  return candidates.find((path) => path !== undefined && path !== '' && isExecutable(path))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
