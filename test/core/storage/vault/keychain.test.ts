import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const execute = promisify(execFile)
const PROGRAM = join(import.meta.dirname, 'keychain-session.ts')

const missing = ['gnome-keyring-daemon', 'dbus-run-session', 'secret-tool'].filter(
  (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0,
)
const absent = process.platform === 'linux' ? missing.join(' and ') : ''
const skipped = process.platform !== 'linux' || absent !== ''
if (skipped)
  console.warn(`Not tested: a real keychain (${absent === '' ? 'only on Linux' : `without ${absent}`}).`)

test.runIf(process.env['CI'] === 'true' && process.platform === 'linux')(
  'this machine can test a real keychain',
  () => {
    expect(absent).toBe('')
  },
)

type Keyring = 'unlocked' | 'killable' | 'locked' | 'no D-Bus'
/** The password is the test's own; the keyring lives in the given folder. */
const SESSIONS: Record<Keyring, string[]> = {
  unlocked: [
    'dbus-run-session',
    '--',
    'sh',
    '-c',
    'printf test-password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$@"',
    'sh',
  ],
  killable: [
    'dbus-run-session',
    '--',
    'sh',
    '-c',
    'printf test-password | gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>&1 & KEYRING_PID=$!; export KEYRING_PID; until secret-tool search none none >/dev/null 2>&1; do :; done; exec "$@"',
    'sh',
  ],
  locked: [
    'dbus-run-session',
    '--',
    'sh',
    '-c',
    'gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1; exec "$@"',
    'sh',
  ],
  'no D-Bus': ['env'],
}

describe.skipIf(skipped)('a real Secret Service', () => {
  let root = ''
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'sotto-keyring-'))
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  /** One process after the other, as after a restart: each with its own bus and keyring daemon, on the same keyring files. */
  async function run(
    keyring: Keyring,
    requests: string[],
    { folder = 'data', home = 'home', mode = 'auto' } = {},
  ): Promise<unknown> {
    const [command = '', ...before] = SESSIONS[keyring]
    const environment = {
      PATH: process.env['PATH'],
      HOME: root,
      XDG_RUNTIME_DIR: root,
      XDG_DATA_HOME: join(root, home),
      VAULT_MODE: mode,
    }
    const { stdout } = await execute(
      command,
      [...before, process.execPath, PROGRAM, join(root, folder), ...requests],
      { env: environment },
    )
    return JSON.parse(stdout)
  }

  test('preserves a secret over a restart, and reports locked, never empty, in between', async () => {
    const opened = { kind: 'keychain', state: 'open', account: 'sk-1' }
    expect(await run('unlocked', ['account=sk-1'])).toEqual(opened)
    expect(await run('unlocked', ['account', 'other'])).toEqual({ ...opened, other: null })

    const locked = { kind: 'keychain', state: 'locked', error: 'vault/locked' }
    expect(await run('locked', ['account'])).toEqual(locked)
    expect(await run('locked', ['account=sk-2'])).toEqual(locked)
    expect(await run('no D-Bus', ['account'])).toEqual(locked)
    expect(await run('no D-Bus', ['account'], { mode: 'keychain' })).toEqual(locked)

    expect(await run('unlocked', ['account'])).toEqual(opened)
  })

  test('distinguishes a keyring without the item from one that can’t be read', async () => {
    await run('unlocked', ['account=sk-1'], { folder: 'lost', home: 'lost-home' })
    expect(await run('unlocked', ['account'], { folder: 'lost', home: 'new-home' })).toEqual({
      kind: 'keychain',
      state: 'damaged',
      error: 'vault/damaged',
    })
    expect(await run('locked', ['account'], { folder: 'lost', home: 'empty-home' })).toEqual({
      kind: 'keychain',
      state: 'locked',
      error: 'vault/locked',
    })
  })

  test('is required: without D-Bus, no kernel keyring is used instead', async () => {
    expect(await run('no D-Bus', ['account=sk-1'], { folder: 'busless' })).toEqual({
      kind: 'memory',
      state: 'open',
      account: 'sk-1',
    })
    expect(await run('no D-Bus', ['account=sk-1'], { folder: 'busless', mode: 'keychain' })).toEqual({
      error: 'vault/unavailable',
    })
    await expect(stat(join(root, 'busless'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('counts as unavailable if no keyring is unlocked', async () => {
    expect(await run('locked', ['account=sk-1'], { folder: 'first', home: 'first-home' })).toEqual({
      kind: 'memory',
      state: 'open',
      account: 'sk-1',
    })
  })

  test('reports whether the keychain is working, locked or absent', async () => {
    expect(await run('unlocked', ['?'], { folder: 'says', home: 'says-home' })).toMatchObject({
      kind: 'keychain',
      keychain: 'working',
    })
    expect(await run('locked', ['?'], { folder: 'says', home: 'says-home' })).toMatchObject({
      kind: 'keychain',
      state: 'locked',
      keychain: 'locked',
    })
    expect(await run('no D-Bus', ['?'], { folder: 'says', home: 'says-home' })).toMatchObject({
      kind: 'keychain',
      state: 'locked',
      keychain: 'absent',
    })
  })

  test('whose daemon is killed affects neither an open vault nor the next start', async () => {
    const home = 'killed-home'
    expect(
      await run('killable', ['account=sk-1', '!', '?', 'account', 'later=kept'], { folder: 'killed', home }),
    ).toMatchObject({
      state: 'open',
      account: 'sk-1',
      later: 'kept',
      keychain: expect.not.stringMatching('working') as string,
    })
    expect(await run('unlocked', ['account', 'later'], { folder: 'killed', home })).toEqual({
      kind: 'keychain',
      state: 'open',
      account: 'sk-1',
      later: 'kept',
    })
  })

  test('stores a secret of 60 KB, also over a restart', async () => {
    const at = { folder: 'large', home: 'large-home' }
    expect(await run('unlocked', ['+61440'], at)).toMatchObject({ state: 'open', large: true })
    expect(await run('unlocked', ['large'], at)).toMatchObject({
      kind: 'keychain',
      state: 'open',
      large: 61_440,
    })
  })

  test('stores an item of 60 KB in the keychain itself', async () => {
    const environment = {
      PATH: process.env['PATH'],
      HOME: root,
      XDG_RUNTIME_DIR: root,
      XDG_DATA_HOME: join(root, 'item-home'),
    }
    const [command = '', ...before] = SESSIONS.unlocked
    const program = `import { systemKeychain } from ${JSON.stringify(join(import.meta.dirname, '../../../../src/core/storage/vault/keychain.ts'))}
      const keychain = systemKeychain(), large = new Uint8Array(61440).fill(0xa7)
      await keychain.set('large', large)
      console.log(Buffer.compare((await keychain.get('large')) ?? new Uint8Array(), large))
      await keychain.delete('large')
      console.log(await keychain.get('large'))`
    const { stdout } = await execute(
      command,
      [...before, process.execPath, '--input-type=module', '-e', program],
      { env: environment },
    )
    expect(stdout).toBe('0\nnull\n')
  })

  test('serves two processes at once, each with its own folder', async () => {
    const [command = '', ...before] = SESSIONS.unlocked
    const environment = {
      PATH: process.env['PATH'],
      HOME: root,
      XDG_RUNTIME_DIR: root,
      XDG_DATA_HOME: join(root, 'two-home'),
      VAULT_MODE: 'auto',
    }
    const both =
      'node="$1"; program="$2"; root="$3"; "$node" "$program" "$root/one" account=sk-one > "$root/one.json" & first=$!; "$node" "$program" "$root/two" account=sk-two > "$root/two.json"; wait $first; "$node" "$program" "$root/one" account; "$node" "$program" "$root/two" account'
    const { stdout } = await execute(
      command,
      [...before, 'sh', '-c', both, 'sh', process.execPath, PROGRAM, root],
      { env: environment },
    )
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { kind: 'keychain', state: 'open', account: 'sk-one' },
      { kind: 'keychain', state: 'open', account: 'sk-two' },
    ])
  })
})
