import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isBuilt } from '../shell/launch.ts'

const folder = mkdtempSync(join(tmpdir(), 'sotto-start-load-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(!isBuilt())('a start of the built command', () => {
  it('loads none of what Node has behind members of node:http that nobody reads', async () => {
    const loaded = join(folder, 'loaded.json')
    const preload = join(folder, 'preload.cjs')
    // Node's own list of the modules of its own that it has loaded.
    writeFileSync(
      preload,
      `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(loaded)}, JSON.stringify(process.moduleLoadList)))`,
    )
    const child = spawn(
      process.execPath,
      [
        '--require',
        preload,
        resolve(import.meta.dirname, '../../out/main/sotto.js'),
        'serve',
        '--no-open',
        '--json',
      ],
      {
        env: {
          ...process.env,
          SOTTO_DATA_DIR: join(folder, 'data'),
          SOTTO_PORT: '0',
          SOTTO_UI_PORT: '0',
          SOTTO_VAULT: 'memory',
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    const ended = once(child, 'exit')
    const first: unknown[] = await Promise.race([once(child.stdout.setEncoding('utf8'), 'data'), ended])
    expect(first[0]).toContain('"ready"')
    child.kill('SIGTERM')
    await ended
    const modules: unknown = JSON.parse(readFileSync(loaded, 'utf8'))
    expect(modules).toContain('NativeModule _http_server')
    expect(modules).not.toContain('NativeModule internal/deps/undici/undici')
  })
})
