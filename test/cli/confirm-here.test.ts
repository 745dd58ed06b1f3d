import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { confirmHere } from '../../src/cli/confirm-here.ts'
import type { DoorClient } from '../../src/cli/door-client.ts'

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

/** A door at which one question waits until it is answered with 123456, here or elsewhere. */
function asking(): { client: DoorClient; work: Promise<string>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>()
  let waits = true
  const end = (): void => {
    waits = false
    resolve('done')
  }
  const confirmations = {
    pending: () => Promise.resolve(waits ? { id: 'one', says: [{ english: 'Make a key\u001b[2J' }] } : null),
    answer: ({ code }: { code: string }) => {
      if (code === '123456') end()
      return Promise.resolve({ accepted: code === '123456' })
    },
  }
  return { client: { confirmations } as unknown as DoorClient, work: promise, end }
}

it('asks for the code until it is the right one, and says once what it is for', async () => {
  const { client, work } = asking()
  const confirmed = confirmHere(client, () => work)
  await expect.poll(() => shown).toContain('The code')
  typed.write('000000\n')
  await expect.poll(() => shown.split('The code').length).toBe(3)
  typed.write('123456\n')
  expect(await confirmed).toBe('done')
  expect(shown).toContain('This is not the code.')
  expect(shown.match(/Asked: Make a key/g)).toHaveLength(1)
  expect(shown).not.toContain('Asked: Make a key\u001b')
})

it('stops asking where the code was typed in the window', async () => {
  const { client, work, end } = asking()
  const confirmed = confirmHere(client, () => work)
  await expect.poll(() => shown).toContain('The code')
  end()
  expect(await confirmed).toBe('done')
})

it('fails with the work', async () => {
  const { client } = asking()
  await expect(confirmHere(client, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
})
