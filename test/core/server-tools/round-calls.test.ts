import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readStep } from '../../../src/core/gateway/answer/index.ts'
import { RoundCalls } from '../../../src/core/server-tools/round-calls.ts'
import { MAX_CALL_MEMBERS } from '../../../src/shared/call-members.ts'
import { isJsonObject, type JsonObject } from '../../../src/shared/strict-json.ts'

const deltas = (list: unknown) => readStep({ choices: [{ delta: { tool_calls: list } }] })?.calls ?? []
const newRound = (): RoundCalls => new RoundCalls((name) => name.startsWith('sotto_'), 'id_')

/** Joins the pieces of a chunk's `tool_calls` as a caller does: texts are appended, other members replace earlier ones. */
function joinedByCaller(pieces: readonly JsonObject[]): JsonObject[] {
  const calls: JsonObject[] = []
  for (const { index, ...piece } of pieces) {
    const call = (calls[Number(index)] ??= {})
    for (const [name, value] of Object.entries(piece))
      call[name] =
        (name === 'function' || name === 'custom') && isJsonObject(value)
          ? appended(isJsonObject(call[name]) ? call[name] : {}, value)
          : value
  }
  return calls
}

function appended(earlier: JsonObject, next: JsonObject): JsonObject {
  const texts = (['arguments', 'input'] as const).flatMap((name) => {
    const [before = '', after] = [earlier[name], next[name]]
    return typeof before === 'string' && typeof after === 'string' ? [[name, before + after] as const] : []
  })
  return { ...earlier, ...next, ...Object.fromEntries(texts) }
}

describe('the calls of one request', () => {
  it('go to the caller with all their members, in their places', () => {
    const round = newRound()
    const pieces = [
      [{ index: 0, extra_content: { google: { thought_signature: 'before the name' } } }],
      [{ index: 0, id: 'a', function: { name: 'get_weather', arguments: '{', signature: 'inside' } }],
      [{ index: 0, function: { arguments: '}' } }],
      [{ index: 0, extra_content: { google: { thought_signature: 'after it' } } }],
    ].flatMap((list) => round.read(deltas(list)))
    round.end()
    const whole = {
      id: 'a',
      type: 'function',
      function: { name: 'get_weather', arguments: '{}', signature: 'inside' },
      extra_content: { google: { thought_signature: 'after it' } },
    }
    expect(joinedByCaller(pieces)).toEqual([whole])
    expect(round.forCaller).toEqual([whole])
  })

  it('keep for the loop what the model gets back, and no member replaces one that Sotto reads', () => {
    const round = newRound()
    const signed = { extra_content: { signature: 's' }, function: { more: 1 } }
    expect(
      round.read(
        deltas([
          {
            ...signed,
            index: 0,
            id: 'a',
            type: 'x',
            function: { more: 1, name: 'sotto_search', arguments: '{}' },
          },
        ]),
      ),
    ).toEqual([])
    expect(round.areRunHere).toBe(true)
    expect(round.requested).toEqual([{ id: 'a', name: 'sotto_search', arguments: '{}', more: signed }])
  })

  it('of custom tools go to the caller as text', () => {
    const round = newRound()
    const pieces = [
      [{ index: 0, id: 'a', type: 'custom', custom: { name: 'sotto_search', input: 'any ' } }],
      [{ index: 0, custom: { name: '', input: 'text' } }],
    ].flatMap((list) => round.read(deltas(list)))
    round.end()
    const whole = { id: 'a', type: 'custom', custom: { name: 'sotto_search', input: 'any text' } }
    expect(joinedByCaller(pieces)).toEqual([whole])
    expect(round.forCaller).toEqual([whole])
    expect(round.areRunHere).toBe(false)
  })

  it('of custom tools are left out of a round that Sotto runs', () => {
    const round = newRound()
    round.read(deltas([{ index: 0, id: 'a', function: { name: 'sotto_search', arguments: '{}' } }]))
    expect(round.read(deltas([{ index: 1, id: 'b', custom: { name: 'patch', input: 'x' } }]))).toEqual([])
    round.end()
    expect(round.requested.map(({ id }) => id)).toEqual(['a'])
    expect(round.forCaller).toEqual([])
  })

  it('keep a signature that a later piece writes null over', () => {
    const round = newRound()
    round.read(
      deltas([{ index: 0, id: 'a', function: { name: 'sotto_search', s: 1 }, extra: { signature: 's' } }]),
    )
    round.read(deltas([{ index: 0, function: { arguments: '{}', s: null }, extra: null }]))
    expect(round.requested[0]?.more).toEqual({ extra: { signature: 's' }, function: { s: 1 } })
  })

  it.each([
    ['empty', { name: '', input: '' }],
    ['an empty object', {}],
    ['null', null],
    ['no object', true],
    ['a text', 'x'],
  ])('are functions although the piece also has `custom`, which is %s', (_, custom) => {
    const round = newRound()
    round.read(deltas([{ index: 0, id: 'a', function: { name: 'sotto_search', arguments: '{}' }, custom }]))
    round.end()
    expect(round.requested).toMatchObject([{ name: 'sotto_search', arguments: '{}' }])
  })

  it('leave out members that are nested too deeply, or are very many, without reading them', () => {
    const round = newRound()
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    const many = Array.from({ length: 1_000_000 }, () => ({}))
    for (const member of [deep, many])
      round.read(deltas([{ index: 0, id: 'a', function: { name: 'sotto_search', arguments: '' }, member }]))
    round.read(deltas([{ index: 0, number: Infinity }]))
    expect(round.requested[0]?.more).toBeUndefined()
  })

  it('keep no more of other members than arguments may be long', () => {
    const round = newRound()
    round.read(deltas([{ index: 0, id: 'a', function: { name: 'sotto_search' }, one: 'x' }]))
    round.read(deltas([{ index: 0, two: 'x'.repeat(MAX_CALL_MEMBERS) }]))
    expect(round.requested[0]?.more).toEqual({ one: 'x' })
  })

  it('are the same in pieces and in one piece, whatever their members are', () => {
    const members = fc.dictionary(
      fc
        .stringMatching(/^[a-z_]{1,8}$/)
        .filter((name) => !['index', 'id', 'type', 'function', 'custom'].includes(name)),
      // Null is absent.
      fc.jsonValue().filter((value) => value !== null),
      { maxKeys: 3 },
    )
    const call = fc.record({
      name: fc.constantFrom('get_weather', 'patch', 'sotto_search'),
      isCustom: fc.boolean(),
      text: fc.string({ maxLength: 20 }),
      members,
      later: members,
    })
    fc.assert(
      fc.property(fc.array(call, { maxLength: 4 }), (calls) => {
        const round = newRound()
        const pieces = calls.flatMap(({ name, isCustom, text, members: more, later }, index) => {
          const piece = (called: string | undefined, written: string) => ({
            index,
            ...(called !== undefined && { id: `c${String(index)}` }),
            ...(isCustom
              ? { custom: { name: called, input: written } }
              : { function: { name: called, arguments: written } }),
          })
          return [
            { ...more, ...piece(name, '') },
            ...Array.from(text, (letter) => piece(undefined, letter)),
            { ...later, index },
          ].flatMap((one) => round.read(deltas([structuredClone(one)])))
        })
        round.end()
        expect(joinedByCaller(pieces)).toEqual(round.forCaller)
        const isServerTool = ({ name, isCustom }: { name: string; isCustom: boolean }) =>
          !isCustom && name === 'sotto_search'
        const [first] = calls
        expect(round.areRunHere).toBe(first !== undefined && isServerTool(first))
        if (!round.areRunHere)
          expect(round.forCaller).toEqual(
            calls.flatMap((one, index) => {
              const { name, isCustom, text, members: more, later } = one
              return isServerTool(one)
                ? []
                : [
                    {
                      ...more,
                      ...later,
                      id: `c${String(index)}`,
                      ...(isCustom
                        ? { type: 'custom', custom: { name, input: text } }
                        : { type: 'function', function: { name, arguments: text } }),
                    },
                  ]
            }),
          )
      }),
      { numRuns: 300 },
    )
  })
})
