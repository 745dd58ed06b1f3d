import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DataFolder } from '../../src/host/data-folder.ts'
import { acquireOwnership } from '../../src/host/owner-socket.ts'

let root = ''
let folder = ''
const starters: Starter[] = []
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sotto-owner-'))
  folder = join(root, 'data')
})
afterEach(async () => {
  await Promise.all(starters.splice(0).map((starter) => starter.kill()))
  rmSync(root, { recursive: true, force: true })
})

/** A separate process that tries to acquire the lock on request. */
class Starter {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #lines: AsyncIterator<string, undefined>

  constructor() {
    this.#child = spawn(process.execPath, [join(import.meta.dirname, 'owner-process.ts'), folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]()
    starters.push(this)
  }

  async readLine(): Promise<string> {
    const line = await this.#lines.next()
    return line.done ? 'ended' : line.value
  }

  tries(): Promise<string> {
    this.#child.stdin.write('\n')
    return this.readLine()
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.kill('SIGKILL')
    await once(this.#child, 'exit')
  }
}

async function start(count: number): Promise<Starter[]> {
  const started = Array.from({ length: count }, () => new Starter())
  for (const starter of started) expect(await starter.readLine()).toBe('ready')
  return started
}

describe('a data folder', () => {
  test('has exactly one owner among all processes that start at once, also after each owner is killed', async () => {
    let waiting = await start(8)
    while (waiting.length > 5) {
      const answers = await Promise.all(waiting.map((starter) => starter.tries()))
      expect(answers.toSorted()).toEqual([...waiting.slice(1).map(() => 'none'), 'owner'])
      await waiting[answers.indexOf('owner')]?.kill()
      waiting = waiting.filter((_, at) => answers[at] === 'none')
    }
  })

  test('is free when its owner releases it, and not before', async () => {
    const [other] = await start(1)
    const ownership = acquireOwnership(await DataFolder.check(folder))
    expect(ownership).not.toBeNull()
    // A second attempt in the same process must not release the first lock.
    expect(acquireOwnership(await DataFolder.check(folder))).toBeNull()
    expect(await other?.tries()).toBe('none')
    ownership?.release()
    ownership?.release()
    expect(await other?.tries()).toBe('owner')
    expect(acquireOwnership(await DataFolder.check(folder))).toBeNull()
  })

  test('is created with access only for its owner', async () => {
    const ownership = acquireOwnership(await DataFolder.check(folder))
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'owner.lock')).mode & 0o777).toBe(0o600)
    ownership?.release()
  })

  test('with an invalid lock file is refused', async () => {
    const ownership = acquireOwnership(await DataFolder.check(folder))
    ownership?.release()
    writeFileSync(join(folder, 'owner.lock'), 'no lock of ours '.repeat(100))
    const checked = await DataFolder.check(folder)
    expect(() => acquireOwnership(checked)).toThrow(expect.objectContaining({ code: 'store/damaged' }))
  })
})
