import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStep } from '../../../../src/core/gateway/answer/index.ts'
import { ToolCalls } from '../../../../src/core/conversations/answer/tool-calls.ts'
import { SottoError } from '../../../../src/shared/errors.ts'
import { MAX_TOOL_ARGUMENTS, MAX_TOOL_CALLS, toolCallsSchema } from '../../../../src/shared/answer-parts.ts'

function read(...lists: readonly unknown[]) {
  const calls = new ToolCalls()
  const begun = lists.flatMap((list) => calls.add(deltas(list)))
  return { begun, calls: calls.list() }
}
const deltas = (list: unknown) => readStep({ choices: [{ delta: { tool_calls: list } }] })?.calls ?? []
const part = (index: unknown, rest: { id?: unknown; name?: unknown; arguments?: unknown } = {}) => {
  const { id, ...called } = rest
  return { index, ...(id !== undefined && { id }), type: 'function', function: called }
}

describe('pieces of calls', () => {
  it('are put together in their order, each under its own number', () => {
    expect(
      read(
        [part(0, { id: 'a', name: 'weather', arguments: '' })],
        [part(0, { arguments: '{"city":' })],
        [part(1, { id: 'b', name: 'time', arguments: '{' }), part(0, { arguments: '"Turin"}' })],
        [part(1, { arguments: '}' })],
      ),
    ).toEqual({
      begun: ['weather', 'time'],
      calls: [
        { id: 'a', name: 'weather', arguments: '{"city":"Turin"}' },
        { id: 'b', name: 'time', arguments: '{}' },
      ],
    })
  })
  it('have the members that Sotto doesn’t use, such as a signature', () => {
    expect(
      read(
        [{ ...part(0, { id: 'a', name: 'weather' }), extra_content: { signature: 's' } }],
        [{ index: 0, function: { signature: 'f' } }],
      ).calls,
    ).toEqual([
      {
        id: 'a',
        name: 'weather',
        arguments: '',
        more: { extra_content: { signature: 's' }, function: { signature: 'f' } },
      },
    ])
  })
  it('a whole call whose arguments are an object is written as text', () => {
    expect(read([{ function: { name: 'weather', arguments: { city: 'Turin' } } }]).calls).toEqual([
      { name: 'weather', arguments: '{"city":"Turin"}' },
    ])
  })
  it('arguments that are no JSON stay as they are, and nothing is run', () => {
    expect(read([part(0, { name: 'shell', arguments: '; rm -rf / #<script>' })]).calls).toEqual([
      { name: 'shell', arguments: '; rm -rf / #<script>' },
    ])
  })
  it('none are none', () =>
    expect(read(undefined, null, [], [{}, { function: null }])).toEqual({ begun: [], calls: undefined }))
  it.each([['x'], [[null]], [[7]], [[part('x', { name: 7 })]]])(
    'of another form (%j) fail the answer: a lost call would change what a tool does',
    (list) => {
      expect(() => read(list)).toThrow(expect.objectContaining({ code: 'service/response-invalid' }))
    },
  )
  it('a call whose name never comes is left out', () => {
    expect(read([part(0, { arguments: '{}' }), part(1, { name: 'time' })]).calls).toEqual([
      { name: 'time', arguments: '' },
    ])
  })
  it('too many calls, and arguments without an end, stop at their bounds', () => {
    const many = read(
      ...Array.from({ length: 3000 }, (_, index) => [
        part(index, { id: String(index), name: 'x', arguments: '{}' }),
      ]),
    )
    expect(many.calls).toHaveLength(MAX_TOOL_CALLS)
    const long = read(
      [part(0, { name: 'x' })],
      ...Array.from({ length: 300 }, () => [part(0, { arguments: 'y'.repeat(1000) })]),
    )
    expect(long.calls?.[0]?.arguments).toHaveLength(MAX_TOOL_ARGUMENTS)
    expect(read([part(0, { id: 'i'.repeat(9999), name: 'n'.repeat(9999) })]).calls).toEqual([
      { id: 'i'.repeat(200), name: 'n'.repeat(200), arguments: '' },
    ])
  })
})

const anyPart = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      index: fc.oneof(fc.nat(3), fc.integer(), fc.constant(null)),
      id: fc.oneof(fc.string(), fc.constant(null), fc.nat()),
      function: fc.record(
        {
          name: fc.oneof(fc.string(), fc.constant(null), fc.nat()),
          arguments: fc.oneof(fc.string(), fc.jsonValue()),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['function'] },
  ),
)

it('whatever comes, the calls are of the known form', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.array(anyPart, { maxLength: 5 }), fc.jsonValue()), { maxLength: 20 }),
      (lists) => {
        try {
          const { calls = [] } = read(...lists)
          expect(toolCallsSchema.parse(calls)).toEqual(calls)
        } catch (thrown) {
          if (!(thrown instanceof SottoError)) throw thrown
          expect(thrown.code).toBe('service/response-invalid')
        }
      },
    ),
    { numRuns: 500 },
  )
})

it('calls come out as they were, however they were cut and mixed', () => {
  const call = fc.record({
    id: fc.stringMatching(/^[a-z0-9]{1,8}$/),
    name: fc.stringMatching(/^[a-z_]{1,12}$/),
    arguments: fc.json(),
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(call, { maxLength: 5, selector: ({ id }) => id }),
      fc.array(fc.nat(), { minLength: 1, maxLength: 30 }),
      (calls, turns) => {
        const reader = new ToolCalls()
        const rest = calls.map(({ arguments: args }) => args)
        for (const [index, { id, name }] of calls.entries())
          reader.add(deltas([part(index, { id, name, arguments: '' })]))
        for (let turn = 0; rest.some((text) => text !== ''); turn++) {
          const open = rest.flatMap((text, index) => (text === '' ? [] : [index]))
          const size = ((turns[turn % turns.length] ?? 0) % 7) + 1
          const index = open[size % open.length] ?? 0
          reader.add(deltas([part(index, { arguments: rest[index]?.slice(0, size) })]))
          rest[index] = rest[index]?.slice(size) ?? ''
        }
        expect(reader.list() ?? []).toEqual(calls)
      },
    ),
    { numRuns: 300 },
  )
})
