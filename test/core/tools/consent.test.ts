import { describe, expect, it, test } from 'vitest'
import fc from 'fast-check'
import {
  decideCall,
  noConsent,
  requestConsent,
  revokeServer,
  withdrawCall,
  type CallFacts,
  type ConsentState,
} from '../../../src/core/tools/consent.ts'

const facts = (more: Partial<CallFacts> = {}): CallFacts => ({
  callId: 'call-1',
  conversationId: 'chat-1',
  serverId: 'server-1',
  serverDigest: 'program-1',
  tool: 'read',
  definitionDigest: 'definition-1',
  argumentsDigest: 'arguments-1',
  localReadOnly: true,
  pure: false,
  ...more,
})
const always = (call: CallFacts): ConsentState => {
  const decided = decideCall(requestConsent(noConsent, call).state, call.callId, 'always')
  if (!decided) throw new Error('not pending')
  return decided.state
}

describe('a call', () => {
  it('waits for a person, and a decision is used once', () => {
    const { state, answer } = requestConsent(noConsent, facts())
    expect(answer).toBe('ask')
    const decided = decideCall(state, 'call-1', 'once')
    expect(decided).toMatchObject({ allowed: true })
    expect(decideCall(decided?.state ?? state, 'call-1', 'once')).toBeNull()
    expect(requestConsent(decided?.state ?? state, facts({ callId: 'call-2' })).answer).toBe('ask')
  })

  it('that is refused or withdrawn is not allowed', () => {
    const { state } = requestConsent(noConsent, facts())
    expect(decideCall(state, 'call-1', 'refuse')).toMatchObject({ allowed: false })
    expect(decideCall(withdrawCall(state, 'call-1'), 'call-1', 'once')).toBeNull()
  })

  it('of a pure built-in tool is allowed without a decision', () => {
    expect(requestConsent(noConsent, facts({ pure: true }))).toEqual({ state: noConsent, answer: 'allowed' })
  })
})

describe('“always”', () => {
  it('holds for the same tool in the same chat, with any arguments', () => {
    expect(requestConsent(always(facts()), facts({ argumentsDigest: 'other' })).answer).toBe('allowed')
  })

  it.each([
    ['another chat', { conversationId: 'chat-2' }],
    ['a changed program', { serverDigest: 'program-2' }],
    ['a changed definition', { definitionDigest: 'definition-2' }],
    ['another tool', { tool: 'write' }],
    ['another server', { serverId: 'server-2' }],
    ['a server that got a network', { localReadOnly: false }],
  ])('doesn’t hold for %s', (_, change) => {
    expect(requestConsent(always(facts()), facts(change)).answer).toBe('ask')
  })

  it('doesn’t exist for a server that isn’t marked, or has a network', () => {
    const call = facts({ localReadOnly: false })
    const { state } = requestConsent(noConsent, call)
    expect(decideCall(state, 'call-1', 'always')).toBeNull()
    expect(decideCall(state, 'call-1', 'once')).toMatchObject({ allowed: true })
  })

  it('ends when the server is changed or removed, and no other server’s', () => {
    const other = facts({ serverId: 'server-12', callId: 'call-2' })
    const both =
      decideCall(requestConsent(always(facts()), other).state, 'call-2', 'always')?.state ?? noConsent
    const revoked = revokeServer(both, 'server-1')
    expect(requestConsent(revoked, facts()).answer).toBe('ask')
    expect(requestConsent(revoked, other).answer).toBe('allowed')
  })
})

test('no sequence of calls and decisions allows a call that a person did not allow', () => {
  const callArbitrary = fc.record({
    conversationId: fc.constantFrom('chat-1', 'chat-2'),
    serverId: fc.constantFrom('server-1', 'server-2'),
    tool: fc.constantFrom('read', 'write'),
    definitionDigest: fc.constantFrom('definition-1', 'definition-2'),
    localReadOnly: fc.boolean(),
  })
  const decisionArbitrary = fc.constantFrom('once', 'always', 'refuse', 'none', 'withdraw')
  fc.assert(
    fc.property(fc.array(fc.tuple(callArbitrary, decisionArbitrary), { maxLength: 40 }), (steps) => {
      let state = noConsent
      /** What a person allowed always, kept apart from the code under test. */
      const allowed = new Set<string>()
      for (const [index, [call, decision]] of steps.entries()) {
        const callId = `call-${String(index)}`
        const { localReadOnly, ...identity } = call
        const key = JSON.stringify(Object.values(identity))
        const requested = requestConsent(state, facts({ ...call, callId }))
        expect(requested.answer).toBe(localReadOnly && allowed.has(key) ? 'allowed' : 'ask')
        state = requested.state
        if (requested.answer === 'allowed' || decision === 'none') continue
        if (decision === 'withdraw') state = withdrawCall(state, callId)
        else {
          const decided = decideCall(state, callId, decision)
          expect(decided === null).toBe(decision === 'always' && !localReadOnly)
          if (decided && decision === 'always') allowed.add(key)
          state = decided?.state ?? state
        }
      }
    }),
  )
})
