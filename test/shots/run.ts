import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Browser } from '@playwright/test'
import { buildWindow } from '../e2e/build-window.ts'
import { findChromiumShell } from '../e2e/find-chromium.ts'
import { startMockServer } from '../e2e/mock-server.ts'
import { openWindow } from '../e2e/open-window.ts'
import { showTeamPage, startTeam } from '../e2e/team-page.ts'
import { groups, teamGroups } from '../e2e/screens/groups.ts'
import type { ScreenGroup } from '../e2e/screens/screen.ts'
import { capture, type Capture, type PageKind } from './capture.ts'
import { captureGallery, galleryName } from './gallery.ts'
import { captureReadme } from './readme.ts'
import { contactSheet } from './sheet.ts'

/**
 * `npm run shots`: every screen of the window, light and dark, wide and narrow, and narrow in three languages, on one page.
 * `--to folder` (out/shots); `--only text` for screens whose group or name contains it. Exits with 1 if a screen failed.
 * `--readme` writes only the pictures of the README, to docs/images.
 */
const { values: options } = parseArgs({
  options: {
    to: { type: 'string', default: 'out/shots' },
    only: { type: 'string', default: '' },
    readme: { type: 'boolean', default: false },
  },
})
const folder = resolve(options.to)
const only = options.only.toLowerCase()

const executablePath = findChromiumShell()
if (executablePath === undefined)
  throw new Error(
    'No Chromium was found. Install one ("apt-get install chromium") or name one in CHROMIUM_PATH.',
  )
await buildWindow()
const browser: Browser = await chromium.launch({ executablePath })

function shotsOf<Mock extends AsyncDisposable>(kind: PageKind<Mock>, group: ScreenGroup<Mock>) {
  return group.screens.map((screen) => ({
    group: group.name,
    screen: screen.name,
    take: () => capture(browser, kind, group, screen, join(folder, 'pictures')),
  }))
}

/** Takes the pictures of every screen. @returns the exit code */
async function takeAll(): Promise<number> {
  // Pictures of an earlier run would look like pictures of this one.
  await rm(join(folder, 'pictures'), { recursive: true, force: true })
  await mkdir(join(folder, 'pictures'), { recursive: true })

  const captures: Capture[] = []
  for (const { group, screen, take } of [
    ...groups.flatMap((each) => shotsOf({ start: startMockServer, open: openWindow }, each)),
    ...teamGroups.flatMap((each) => shotsOf({ start: startTeam, open: showTeamPage }, each)),
  ]) {
    if (!`${group} ${screen}`.toLowerCase().includes(only)) continue
    const first = await take()
    // On a loaded machine a screen may need longer than its timeout.
    const shot = first.failure === undefined ? first : await take()
    captures.push(shot)
    console.log(`${shot.failure === undefined ? 'taken ' : 'FAILED'}  ${group}: ${screen}`)
  }
  if (`${galleryName.group} ${galleryName.screen}`.includes(only))
    captures.push(await captureGallery(browser, join(folder, 'pictures')))
  const sheet = join(folder, 'index.html')
  await writeFile(sheet, contactSheet(captures, new Date()))
  const failed = captures.filter(({ failure }) => failure !== undefined)
  for (const { group, screen, failure } of failed) console.error(`\n${group}: ${screen}\n${String(failure)}`)
  console.log(`${String(captures.length - failed.length)} of ${String(captures.length)} screens: ${sheet}`)
  return failed.length === 0 && captures.length > 0 ? 0 : 1
}

try {
  if (options.readme) {
    const files = await captureReadme(browser, resolve(import.meta.dirname, '../../docs/images'))
    console.log(files.join('\n'))
  } else process.exitCode = await takeAll()
} finally {
  await browser.close()
}
