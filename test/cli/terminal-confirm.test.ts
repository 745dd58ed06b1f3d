import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTerminalConfirm } from '../../src/cli/terminal-confirm.ts'
import { CORE, type Confirm } from '../../src/shared/confirm.ts'
import { SottoError } from '../../src/shared/errors.ts'
import { msg } from '../../src/shared/localized-text.ts'

const CHANGE = msg('Switch to the service X?')
/** Has characters that no code has. */
const WRONG = '0000-0000'
const coded = (code: string) => expect.objectContaining({ code }) as SottoError

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function terminal() {
  const clock = { now: 0 }
  const shown: string[] = []
  const confirm = createTerminalConfirm(
    (text) => void shown.push(text),
    () => clock.now,
  )
  /** Asks, and reads the code as the person at the terminal does. */
  const ask = (from = 'window', question = CHANGE, signal?: AbortSignal) => {
    const answer = confirm.ask({ says: question, from }, signal)
    answer.catch(() => undefined)
    const code = /: (\S{4}-\S{4})\n$/.exec(shown.at(-1) ?? '')?.[1] ?? ''
    const id = confirm.pending(from)?.id ?? ''
    return { answer, code, id }
  }
  return { clock, shown, confirm, ask }
}

describe('createTerminalConfirm', () => {
  it('confirms with the code that only the terminal shows', async () => {
    const { shown, confirm, ask } = terminal()
    const { answer, code, id } = ask()
    expect(shown[0]).toBe(`\nSwitch to the service X?\nTo allow it, enter this code: ${code}\n`)
    expect(confirm.pending('window')).toEqual({ id, says: CHANGE })
    expect(confirm.answer('window', id, code.replace('-', ' ').toLowerCase())).toEqual({ accepted: true })
    await expect(answer).resolves.toBe(true)
    expect(confirm.pending('window')).toBeNull()
  })

  it('accepts a code once, and only for its own question', async () => {
    const { confirm, ask } = terminal()
    const first = ask()
    const second = ask('window', msg('Another.'))
    await expect(first.answer).resolves.toBe(false)
    expect(confirm.answer('window', first.id, first.code)).toEqual({ accepted: false })
    expect(confirm.answer('window', second.id, first.code)).toEqual({ accepted: false, retryAfterSeconds: 1 })
    const third = ask('cli')
    expect(confirm.answer('cli', third.id, third.code)).toEqual({ accepted: true })
    expect(confirm.answer('cli', third.id, third.code)).toEqual({ accepted: false })
    await expect(third.answer).resolves.toBe(true)
  })

  it('compares no code, even the right one, during the wait after a wrong code, and shows the wait in the terminal', async () => {
    const { clock, shown, confirm, ask } = terminal()
    const { answer, code, id } = ask()
    expect(confirm.answer('window', id, WRONG)).toEqual({ accepted: false, retryAfterSeconds: 1 })
    expect(shown.at(-1)).toBe('A wrong code was entered. Codes are accepted again in 1 second.\n')
    clock.now = 999
    for (const typed of [WRONG, code])
      expect(() => confirm.answer('window', id, typed)).toThrow(coded('confirm/too-soon'))
    expect(shown).toHaveLength(2)
    clock.now = 1000
    expect(confirm.answer('window', id, WRONG)).toEqual({ accepted: false, retryAfterSeconds: 2 })
    expect(shown.at(-1)).toBe('A wrong code was entered. Codes are accepted again in 2 seconds.\n')
    clock.now = 3000
    expect(confirm.answer('window', id, code)).toEqual({ accepted: true })
    await expect(answer).resolves.toBe(true)
  })

  it('applies the wait to the next question too', () => {
    const { clock, confirm, ask } = terminal()
    confirm.answer('window', ask().id, WRONG)
    const next = ask()
    expect(() => confirm.answer('window', next.id, next.code)).toThrow(coded('confirm/too-soon'))
    clock.now = 1000
    expect(confirm.answer('window', next.id, WRONG)).toEqual({ accepted: false, retryAfterSeconds: 2 })
  })

  it('refuses a question after three wrong codes', async () => {
    const { clock, confirm, ask } = terminal()
    const { answer, code, id } = ask()
    for (const at of [0, 1000, 3000]) {
      clock.now = at
      expect(confirm.answer('window', id, WRONG).accepted).toBe(false)
    }
    await expect(answer).resolves.toBe(false)
    clock.now = 60_000
    expect(confirm.answer('window', id, code)).toEqual({ accepted: false })
  })

  it('refuses a question after five minutes, or when its caller aborts', async () => {
    const { confirm, ask } = terminal()
    const late = ask()
    vi.advanceTimersByTime(5 * 60_000)
    await expect(late.answer).resolves.toBe(false)
    const caller = new AbortController()
    const left = ask('window', CHANGE, caller.signal)
    caller.abort()
    await expect(left.answer).resolves.toBe(false)
    expect(confirm.pending('window')).toBeNull()
    await expect(confirm.ask({ says: CHANGE, from: 'window' }, caller.signal)).resolves.toBe(false)
  })

  it('limits a caller to five questions per hour, without affecting other callers', async () => {
    const { clock, shown, confirm, ask } = terminal()
    for (let asked = 0; asked < 5; asked++) ask()
    await expect(confirm.ask({ says: CHANGE, from: 'window' })).rejects.toEqual(coded('confirm/too-many'))
    expect(shown).toHaveLength(5)
    const { answer, code, id } = ask('cli')
    expect(confirm.answer('cli', id, code)).toEqual({ accepted: true })
    await expect(answer).resolves.toBe(true)
    clock.now = 3_600_000
    expect(ask().code).not.toBe('')
  })

  it('doesn’t count confirmed questions toward the limit', async () => {
    const { confirm, ask } = terminal()
    for (let asked = 0; asked < 12; asked++) {
      const { answer, code, id } = ask()
      confirm.answer('window', id, code)
      await expect(answer).resolves.toBe(true)
    }
  })

  it('shows a question only to its caller, and a question of the core to every caller', async () => {
    const { shown, confirm, ask } = terminal()
    const mine = ask('cli')
    expect(confirm.pending('window')).toBeNull()
    expect(confirm.answer('window', mine.id, mine.code)).toEqual({ accepted: false })
    ask('window')
    expect(confirm.pending('cli')?.id).toBe(mine.id)
    const core = ask(CORE)
    expect(shown.at(-1)).toContain('enter this code in the window: ')
    expect(confirm.answer('window', core.id, core.code)).toEqual({ accepted: true })
    await expect(core.answer).resolves.toBe(true)
  })

  it('fails without a terminal, and counts no question', async () => {
    const confirm = createTerminalConfirm(() => {
      throw new SottoError('confirm/no-terminal')
    })
    for (let asked = 0; asked < 7; asked++)
      await expect(confirm.ask({ says: CHANGE, from: 'window' })).rejects.toEqual(
        coded('confirm/no-terminal'),
      )
    expect(confirm.pending('window')).toBeNull()
  })
})

describe('a hostile caller that asks and guesses in a loop', () => {
  /** Guesses that fit into a time (ms) with waits of 1, 2, 4 … 512, 900, 900 … seconds between them, the first one at once. */
  function mostGuesses(ms: number): number {
    let guesses = 1
    for (let spent = 1; spent * 1000 <= ms; guesses++) spent += Math.min(2 ** guesses, 900)
    return guesses
  }
  const step = fc.oneof(
    fc.record({ kind: fc.constant('ask' as const) }),
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('guess' as const) }) },
    fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 1_000_000 })),
    }),
  )
  function guess(confirm: Confirm): boolean {
    try {
      return (
        confirm.answer('window', confirm.pending('window')?.id ?? '', WRONG).retryAfterSeconds !== undefined
      )
    } catch (thrown) {
      expect(thrown).toEqual(coded('confirm/too-soon'))
      return false
    }
  }

  it('gets at most as many codes compared as the waits allow, three per question, with five questions per hour', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { clock, shown, confirm } = terminal()
        let compared = 0
        for (const each of steps) {
          if (each.kind === 'ask') confirm.ask({ says: CHANGE, from: 'window' }).catch(() => undefined)
          else if (each.kind === 'wait') clock.now += each.ms
          else if (guess(confirm)) compared++
        }
        const questions = shown.filter((text) => text.includes('enter this code')).length
        expect(compared).toBeLessThanOrEqual(mostGuesses(clock.now))
        expect(compared).toBeLessThanOrEqual(3 * questions)
        expect(questions).toBeLessThanOrEqual(5 * (1 + Math.floor(clock.now / 3_600_000)))
      }),
    )
  })

  it('reaches exactly that limit if it waits as long as required', () => {
    const { clock, confirm } = terminal()
    let compared = 0
    for (; clock.now <= 3_600_000; clock.now += 500) {
      if (!confirm.pending('window')) confirm.ask({ says: CHANGE, from: 'window' }).catch(() => undefined)
      if (guess(confirm)) compared++
    }
    expect(compared).toBe(mostGuesses(3_600_000))
    // One code among 23 ** 8 is right: in an hour, less than one chance in five billion.
    expect(compared / 23 ** 8).toBeLessThan(1 / 5e9)
  })
})
