import { describe, expect, it } from 'vitest'
import { WindowSessions } from '../../../../src/core/gateway/callers/index.ts'

describe('WindowSessions', () => {
  it('exchanges a code once', () => {
    const sessions = new WindowSessions()
    const code = sessions.newCode()
    const token = sessions.exchange(code)
    expect(sessions.find(`Bearer ${String(token)}`)).not.toBeNull()
    expect(sessions.exchange(code)).toBeNull()
  })
  it('for five minutes', () => {
    let now = 0
    const sessions = new WindowSessions(() => now)
    const code = sessions.newCode()
    now = 5 * 60_000
    expect(sessions.exchange(code)).toBeNull()
  })
  it('keeps no more than a few codes', () => {
    const sessions = new WindowSessions()
    const first = sessions.newCode()
    for (let count = 0; count < 30; count++) sessions.newCode()
    expect(sessions.exchange(first)).toBeNull()
  })
  it.each([[undefined], [''], ['Bearer '], ['Bearer x'], ['bearer x'], ['Basic x']])(
    'holds nothing for %s',
    (authorization) => {
      expect(new WindowSessions().find(authorization)).toBeNull()
    },
  )
  it('makes no token of a guess', () => {
    const sessions = new WindowSessions()
    sessions.newCode()
    expect(sessions.exchange('guess')).toBeNull()
  })
  it('lists what is connected, most recently used first, and ends one', () => {
    let now = 1_000
    const sessions = new WindowSessions(() => now)
    const open = (browser: string): string => String(sessions.exchange(sessions.newCode(), browser))
    const [first, second] = [open('Firefox'), open('x'.repeat(1_000))]
    now = 2_000
    expect(sessions.find(`Bearer ${first}`)).not.toBeNull()
    const [recent, other] = sessions.list()
    expect(recent).toEqual({
      id: sessions.find(`Bearer ${first}`),
      openedAt: 1_000,
      lastUsedAt: 2_000,
      browser: 'Firefox',
    })
    expect(other?.browser).toHaveLength(200)
    expect(JSON.stringify(sessions.list())).not.toContain(first)
    const ended = sessions.ended(recent?.id ?? '')
    expect(sessions.signOut(recent?.id ?? '')).toBe(true)
    expect(ended.aborted).toBe(true)
    expect(sessions.find(`Bearer ${first}`)).toBeNull()
    expect(sessions.find(`Bearer ${second}`)).not.toBeNull()
    expect(sessions.signOut(recent?.id ?? '')).toBe(false)
    expect(sessions.ended('none').aborted).toBe(true)
  })
  it('ends the longest unused of two hundred', () => {
    let now = 0
    const sessions = new WindowSessions(() => now)
    const tokens = Array.from({ length: 201 }, () => {
      now += 1
      return String(sessions.exchange(sessions.newCode()))
    })
    expect(sessions.list()).toHaveLength(200)
    expect(sessions.find(`Bearer ${tokens[0]!}`)).toBeNull()
    expect(sessions.find(`Bearer ${tokens[1]!}`)).not.toBeNull()
  })
})
