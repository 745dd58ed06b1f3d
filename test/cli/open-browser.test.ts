import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openInBrowser } from '../../src/cli/open-browser.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-opener-'))
  vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`)
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

/** Replaces the opener of an operating system. */
async function opener(name: string, script: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`)
  await chmod(join(folder, name), 0o755)
}
const onWindows = (): unknown => vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')

describe.skipIf(process.platform !== 'linux')('the system’s opener', () => {
  it.each([
    [0, true],
    [3, false],
  ])('with exit code %d started a browser: %s', async (code, started) => {
    await opener('xdg-open', `exit ${String(code)}`)
    expect(await openInBrowser(join(folder, 'a.html'))).toBe(started)
  })

  it('started a browser if it runs for as long as the browser does', async () => {
    await opener('xdg-open', 'exec sleep 60')
    expect(await openInBrowser(join(folder, 'a.html'))).toBe(true)
  }, 15_000)

  it('of Windows started a browser with any exit code, because its code is always 1', async () => {
    onWindows()
    await opener('explorer.exe', 'exit 1')
    expect(await openInBrowser(join(folder, 'a.html'))).toBe(true)
  })

  it('of Windows started none if it is missing', async () => {
    onWindows()
    expect(await openInBrowser(join(folder, 'a.html'))).toBe(false)
  })
})
