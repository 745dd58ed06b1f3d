import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { COMMAND } from '../process/command.ts'
import { runSotto, startSotto } from '../process/sotto-process.ts'

const PASSPHRASE = 'correct horse'
let folder: string
let data: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-open-'))
  data = join(folder, 'data')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Replaces the system's opener: records its arguments, and ends this way. */
async function opener(end: number | 'runs'): Promise<string> {
  const script = join(folder, 'xdg-open')
  await writeFile(
    script,
    `#!/bin/sh\necho "$@" > ${folder}/given\n${end === 'runs' ? 'exec sleep 60' : `exit ${String(end)}`}\n`,
  )
  await chmod(script, 0o755)
  return `${folder}:${process.env['PATH'] ?? ''}`
}
const redirects = async (): Promise<string[]> =>
  (await readdir(data)).filter((name) => name.startsWith('open-'))

describe.skipIf(process.platform !== 'linux')('sotto open', () => {
  it('passes the sign-in address to the browser in a file, never as an argument', async () => {
    const sotto = await startSotto(data)
    try {
      const { code, stdout } = await runSotto(['open'], { SOTTO_DATA_DIR: data, PATH: await opener(0) })
      expect([code, stdout]).toEqual([0, ''])
      const openedUrl = (await readFile(join(folder, 'given'), 'utf8')).trim()
      expect(openedUrl).toMatch(/^file:\/\/\S+\.html$/)
      expect(openedUrl).not.toContain('code')
      const file = fileURLToPath(openedUrl)
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect(await readFile(file, 'utf8')).toContain(`${new URL(sotto.ready.ui).origin}/#code=`)
    } finally {
      expect(await sotto.stop('SIGTERM')).toBe(0)
    }
    expect(await redirects()).toEqual([])
  })

  it('prints the address if no browser can be started', async () => {
    const sotto = await startSotto(data)
    try {
      const { stdout } = await runSotto(['open'], { SOTTO_DATA_DIR: data, PATH: await opener(3) })
      expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=\S+\n$/)
    } finally {
      await sotto.stop('SIGKILL')
    }
    // A killed owner leaves its file, and the next owner removes it.
    expect(await redirects()).toHaveLength(1)
    const next = await startSotto(data)
    expect(await redirects()).toEqual([])
    await next.stop('SIGTERM')
  })

  it.each([
    ['sotto open', ['open'], 0],
    ['sotto serve --open', ['serve', '--open'], 'SIGTERM'],
  ] as const)(
    '%s doesn’t wait for an opener that runs as long as the browser',
    async (_name, args, end) => {
      const sotto = end === 0 ? await startSotto(data) : undefined
      const path = await opener('runs')
      const child = spawn(process.execPath, [COMMAND, ...args], {
        env: { ...process.env, SOTTO_DATA_DIR: data, SOTTO_PORT: '0', SOTTO_VAULT: 'memory', PATH: path },
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      await expect.poll(() => existsSync(join(folder, 'given')), { timeout: 10_000 }).toBe(true)
      if (end !== 0) child.kill(end)
      expect(await Promise.race([ended, sleep(15_000)])).toEqual([0, null])
      await sotto?.stop('SIGTERM')
    },
    40_000,
  )

  it('serve --open reports if no browser can be started', async () => {
    const child = spawn(process.execPath, [COMMAND, 'serve', '--open'], {
      env: {
        ...process.env,
        SOTTO_DATA_DIR: data,
        SOTTO_PORT: '0',
        SOTTO_VAULT: 'memory',
        PATH: await opener(3),
      },
    })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    await expect.poll(() => errors).toContain('Couldn’t start a browser')
    child.kill('SIGTERM')
  })

  it.each([
    ['SOTTO_PASSPHRASE', () => PASSPHRASE],
    ['SOTTO_PASSPHRASE_FILE', () => join(folder, 'passphrase')],
  ])('opens the vault with %s if it has to start Sotto', async (name, value) => {
    await writeFile(join(folder, 'passphrase'), PASSPHRASE, { mode: 0o600 })
    const child = spawn(process.execPath, [COMMAND, 'open', '--print'], {
      env: {
        ...process.env,
        SOTTO_DATA_DIR: data,
        SOTTO_PORT: '0',
        SOTTO_VAULT: 'file',
        [name]: value(),
      },
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    await expect.poll(() => output).toContain('To quit Sotto')
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(output).not.toContain('locked')
  })
})
