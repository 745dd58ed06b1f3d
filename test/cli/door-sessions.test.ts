import { describe, expect, it } from 'vitest'
import { DoorSessions } from '../../src/cli/door-sessions.ts'

describe('DoorSessions', () => {
  it('exchanges a code once', () => {
    const sessions = new DoorSessions()
    const code = sessions.newCode()
    const token = sessions.exchange(code)
    expect(sessions.holds(`Bearer ${String(token)}`)).toBe(true)
    expect(sessions.exchange(code)).toBeNull()
  })
  it('for five minutes', () => {
    let now = 0
    const sessions = new DoorSessions(() => now)
    const code = sessions.newCode()
    now = 5 * 60_000
    expect(sessions.exchange(code)).toBeNull()
  })
  it('keeps no more than a few codes', () => {
    const sessions = new DoorSessions()
    const first = sessions.newCode()
    for (let made = 0; made < 30; made++) sessions.newCode()
    expect(sessions.exchange(first)).toBeNull()
  })
  it.each([[undefined], [''], ['Bearer '], ['Bearer x'], ['bearer x'], ['Basic x']])('holds nothing for %s', (authorization) => {
    expect(new DoorSessions().holds(authorization)).toBe(false)
  })
  it('makes no token of a guess', () => {
    const sessions = new DoorSessions()
    sessions.newCode()
    expect(sessions.exchange('guess')).toBeNull()
  })
})
