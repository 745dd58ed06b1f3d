import { fork, type ChildProcess, type Serializable } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root = ''
let both: ChildProcess[] = []
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sotto-lock-'))
  both = [1, 2].map(() => fork(join(import.meta.dirname, 'lock-process.ts'), [join(root, 'a.lock')]))
  await Promise.all(both.map((child) => once(child, 'message')))
})
afterEach(() => {
  for (const child of both) child.kill('SIGKILL')
  rmSync(root, { recursive: true, force: true })
})

function ask(message: Serializable): Promise<unknown[]> {
  return Promise.all(
    both.map(async (child) => {
      const answer = once(child, 'message')
      child.send(message)
      const [locked] = (await answer) as unknown[]
      return locked
    }),
  )
}

test('of two who try in the same instant one has it, and never none', async () => {
  for (let round = 0; round < 6; round++) {
    expect((await ask(Date.now() + 5)).toSorted()).toEqual([false, true])
    await ask('release')
  }
})
