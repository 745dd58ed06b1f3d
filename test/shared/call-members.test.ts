import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  CallMembers,
  callMembersSchema,
  MAX_CALL_MEMBERS,
  withMembers,
} from '../../src/shared/call-members.ts'
import { jsonObject } from '../../src/core/gateway/dialect/read-request.ts'

const call = { id: 'a', type: 'function', function: { name: 'weather', arguments: '{}' } }

it('no member replaces one of the call', () => {
  const members = { id: 'x', type: 'x', function: { name: 'x', arguments: 'x', signature: 's' }, extra: 1 }
  expect(withMembers(members, call)).toEqual({
    ...call,
    function: { ...call.function, signature: 's' },
    extra: 1,
  })
  for (const odd of [{ function: null }, { function: 'x' }, { function: [1] }])
    expect(withMembers(odd, call)).toEqual(call)
})

it('no member replaces one of the call, whatever the members are', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('id', 'type', 'function', 'a'), fc.jsonValue()), (members) => {
      expect(withMembers(jsonObject.parse(members), call)).toMatchObject(call)
    }),
  )
})

it.each([33, 500, 5_000, 100_000])(
  'members of %s levels are left out, and refused when they are read',
  (levels) => {
    const deep = { a: jsonObject.parse(JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)) }
    expect(new CallMembers().add(deep)).toBe(false)
    expect(callMembersSchema.safeParse(deep).success).toBe(false)
  },
)

it('members that are too long together are left out, and the earlier ones remain', () => {
  const members = new CallMembers()
  expect(members.add({ one: 'x' })).toBe(true)
  expect(members.add({ two: 'x'.repeat(MAX_CALL_MEMBERS) })).toBe(false)
  expect(members.add({ three: 'x' })).toBe(false)
  expect(members.all).toEqual({ one: 'x' })
  expect(callMembersSchema.safeParse(members.all).success).toBe(true)
  expect(callMembersSchema.safeParse({ two: 'x'.repeat(MAX_CALL_MEMBERS) }).success).toBe(false)
})
