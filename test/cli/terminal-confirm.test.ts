import { describe, expect, it } from 'vitest'
import { createTerminalConfirm } from '../../src/cli/terminal-confirm.ts'
import { say } from '../../src/shared/say.ts'

function asked() {
  const lines: string[] = []
  const confirm = createTerminalConfirm((line) => lines.push(line))
  const answer = confirm.ask({ says: say('Change the service to X.') })
  const code = /: (\d{6})\n/.exec(lines.join(''))![1]!
  return { confirm, answer, code, pending: confirm.pending()! }
}

describe('createTerminalConfirm', () => {
  it('is confirmed by the code that only the terminal shows', async () => {
    const { confirm, answer, code, pending } = asked()
    expect(JSON.stringify(pending)).not.toContain(code)
    expect(confirm.answer(pending.id, code)).toBe(true)
    await expect(answer).resolves.toBe(true)
    expect(confirm.pending()).toBeNull()
  })
  it('is refused by three wrong codes', async () => {
    const { confirm, answer, code, pending } = asked()
    const wrong = code === '111111' ? '222222' : '111111'
    for (let tries = 0; tries < 3; tries++) expect(confirm.answer(pending.id, wrong)).toBe(false)
    await expect(answer).resolves.toBe(false)
    expect(confirm.answer(pending.id, code)).toBe(false)
  })
  it('is refused once whoever caused it gave up, and waits no longer', async () => {
    const confirm = createTerminalConfirm(() => undefined)
    const givenUp = new AbortController()
    const answer = confirm.ask({ says: say('Change the service to X.') }, givenUp.signal)
    givenUp.abort()
    await expect(answer).resolves.toBe(false)
    expect(confirm.pending()).toBeNull()
    await expect(confirm.ask({ says: say('Again.') }, givenUp.signal)).resolves.toBe(false)
  })
  it('takes no code for another question', async () => {
    const first = asked()
    const second = first.confirm.ask({ says: say('Another.') })
    await expect(first.answer).resolves.toBe(false)
    expect(first.confirm.answer(first.pending.id, first.code)).toBe(false)
    first.confirm.answer(first.confirm.pending()!.id, 'x')
    void second
  })
})
