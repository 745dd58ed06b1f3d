import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { exits } from '../../src/cli/exit-codes.ts'
import { stoppable } from '../../src/cli/stoppable.ts'
import { SottoError } from '../../src/shared/errors.ts'
import { sleep } from '../../src/shared/sleep.ts'
import { errorCodeOf } from '../process/command-json.ts'

let stdout = ''
beforeEach(() => {
  stdout = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((stdout += String(text)), true))
})
afterEach(() => vi.restoreAllMocks())

describe('a command that Ctrl-C stops', () => {
  it('ends with 130, prints nothing, and no longer listens', async () => {
    const before = process.listenerCount('SIGINT')
    const ended = stoppable(true, async (signal) => {
      await sleep(60_000, signal)
      return exits.done
    })
    process.emit('SIGINT')
    expect([await ended, stdout]).toEqual([exits.interrupted, ''])
    expect(process.listenerCount('SIGINT')).toBe(before)
  })
  it('ends with the code of its failure, and with that of its work otherwise', async () => {
    const refusing = (code: 'vault/locked' | 'request/invalid') =>
      stoppable(true, () => Promise.reject(new SottoError(code)))
    expect(await refusing('vault/locked')).toBe(exits.refused)
    expect(errorCodeOf(stdout)).toBe('vault/locked')
    expect(await refusing('request/invalid')).toBe(exits.unusable)
    expect(await stoppable(true, () => Promise.resolve(3))).toBe(3)
  })
  it('throws an error that has no code of Sotto', async () => {
    await expect(stoppable(false, () => Promise.reject(new TypeError('x')))).rejects.toThrow('x')
  })
})
