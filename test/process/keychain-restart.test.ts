import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const missing = ['gnome-keyring-daemon', 'dbus-run-session'].filter(
  (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0,
)
const skipped = process.platform !== 'linux' || missing.length > 0
if (skipped) console.warn('Not tested: a restart on a real keychain.')

it.skipIf(skipped && process.env['CI'] !== 'true')(
  'a restart on a real keychain loses nothing, and asks nothing',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'sotto-keychain-'))
    try {
      const { stdout } = await promisify(execFile)(
        'dbus-run-session',
        [
          '--',
          'sh',
          '-c',
          'printf test-password | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$@"',
          'sh',
          process.execPath,
          join(import.meta.dirname, 'keychain-restart.ts'),
          join(root, 'data'),
        ],
        { env: { PATH: process.env['PATH'], HOME: root, XDG_RUNTIME_DIR: root, XDG_DATA_HOME: root } },
      )
      const { before, after } = JSON.parse(stdout) as Record<
        'before' | 'after',
        { vault: unknown; conversations: unknown[]; receipts: unknown[]; account: { connected: boolean } }
      >
      expect(before.vault).toEqual({ kind: 'keychain', state: 'open' })
      expect([before.conversations.length, before.receipts.length, before.account.connected]).toEqual([
        1,
        1,
        true,
      ])
      expect(after).toEqual(before)
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  },
)
