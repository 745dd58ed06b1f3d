import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, vi } from 'vitest'

export interface FakeTerminal {
  readonly type: (text: string) => void
  /** All that was written on standard error. */
  readonly shown: () => string
}

/** For the tests of a file: somebody sits before standard input, and reads standard error. */
export function fakeTerminal(): FakeTerminal {
  const { stdin } = process
  let typed: PassThrough
  let shown: string
  beforeEach(() => {
    typed = Object.assign(new PassThrough(), { isTTY: true })
    Object.defineProperty(process, 'stdin', { value: typed, configurable: true })
    shown = ''
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      shown += String(text)
      return true
    })
  })
  afterEach(() => {
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true })
    vi.restoreAllMocks()
  })
  return { type: (text) => void typed.write(text), shown: () => shown }
}
