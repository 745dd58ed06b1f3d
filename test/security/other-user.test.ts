import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { startSotto } from '../process/sotto-process.ts'
import { targetsBelow, UI_PREFIXES } from './attack-table.ts'

/** A number that owns nothing on Linux; no entry for it is needed. */
const OTHER_USER = 65_534

interface Attempt {
  readonly got?: string
  readonly refused?: string
}
interface Report {
  readonly uid: number
  readonly answers: readonly { readonly method: string; readonly target: string; readonly received: string }[]
  readonly ownerSocket: Attempt
  readonly folder: Attempt
  readonly vault: Attempt
  readonly environment: Attempt
  readonly inspector: Attempt
}

const mayChangeUser = process.platform === 'linux' && process.getuid?.() === 0

// Only root may start a process as another user.
it.skipIf(!mayChangeUser)(
  'another user of the machine gets nothing of a running Sotto (skipped unless root on Linux runs the tests)',
  async () => {
    // The tests' own temporary folder is closed to other users, and would hide what the data folder itself refuses.
    const open = dirname(tmpdir())
    const folder = await mkdtemp(join(open, 'sotto-other-user-'))
    const dataDir = join(folder, 'data')
    const outside = await mkdtemp(join(open, 'sotto-attacker-'))
    // The checkout may be closed to other users; the attacker brings its own program.
    await copyFile(process.execPath, join(outside, 'node'))
    await copyFile(join(import.meta.dirname, 'attacker.mjs'), join(outside, 'attacker.mjs'))
    await chmod(outside, 0o755)
    await chmod(folder, 0o755)
    const sotto = await startSotto(dataDir)
    try {
      const [ui, proxy] = [sotto.ready.ui, sotto.ready.proxy.baseUrl].map((address) =>
        Number(new URL(address).port),
      )
      const targets = targetsBelow(UI_PREFIXES.filter((prefix) => prefix !== '/assets/')).filter(
        (_, at) => at % 3 === 0,
      )
      const known = [
        '/upload/../api/localApi/get',
        '/upload/%2e%2e/api/localApi/get',
        '/media/../api/localApi/rotate',
        '/api/localApi/get',
        '/v1/%zz',
        '/v1/models',
        '/metrics',
      ]
      const report = await attack(outside, {
        dataDir,
        pid: sotto.child.pid,
        ports: [ui, proxy],
        targets: [...known, ...targets],
      })
      expect(report.uid).toBe(OTHER_USER)
      expect(report.answers.length).toBeGreaterThan(1_000)
      const secrets = [sotto.ready.proxy.key ?? 'no key', '"json":', dataDir]
      const leaks = report.answers.filter(({ received }) =>
        secrets.some((secret) => received.includes(secret)),
      )
      expect(leaks.map(({ method, target }) => `${method} ${target}`)).toEqual([])
      for (const { method, target, received } of report.answers) {
        const status = received === '' ? 0 : Number(received.slice(9, 12))
        // The window's own page, and `ok`.
        if (status === 200)
          expect([
            target,
            received.includes('text/html') || received.endsWith('{"status":"ok"}') || method === 'HEAD',
          ]).toEqual([target, true])
        else expect([0, 400, 401, 403, 404, 405, 415]).toContain(status)
      }
      for (const name of ['ownerSocket', 'folder', 'vault', 'environment'] as const)
        expect([name, report[name]]).toEqual([name, { refused: 'EACCES' }])
      expect(report.inspector).toEqual({ refused: 'EPERM' })
      // The key was not rotated, and Sotto goes on.
      expect(await sotto.call('localApi/get')).toMatchObject({ key: sotto.ready.proxy.key })
    } finally {
      await sotto.stop('SIGTERM')
      await Promise.all([folder, outside].map((path) => rm(path, { recursive: true, force: true })))
    }
  },
)

async function attack(outside: string, task: object): Promise<Report> {
  const child = spawn(join(outside, 'node'), [join(outside, 'attacker.mjs'), JSON.stringify(task)], {
    uid: OTHER_USER,
    gid: OTHER_USER,
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  await once(child, 'close')
  return JSON.parse(printed) as Report
}
