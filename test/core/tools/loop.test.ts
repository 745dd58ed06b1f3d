import { describe, expect, it } from 'vitest'
import { MAX_ROUNDS, runToolLoop, type LoopPorts, type RequestedCall } from '../../../src/core/tools/loop.ts'
import { SottoError } from '../../../src/shared/errors.ts'
import type { JsonObject } from '../../../src/shared/strict-json.ts'
import { toolStepSchema, type ToolStep } from '../../../src/shared/tool-call.ts'

const PLACE = { conversationId: 'chat', answerId: 'answer' }
const DIGEST = 'ab'.repeat(32)

class Killed extends Error {}

/** A model that asks for these calls in its rounds, tools that count their effects, and a journal. */
class Simulation {
  readonly journal = new Map<string, ToolStep>()
  /** How often each call ran. */
  readonly effects = new Map<string, number>()
  readonly requests: (readonly JsonObject[])[] = []
  readonly asked: string[] = []
  readonly stop = new AbortController()
  decide: (step: ToolStep) => boolean | Promise<boolean> = () => true
  result = 'result'
  readonly #rounds: readonly (readonly RequestedCall[])[]
  /** How many more operations are done before the process is killed. */
  left = Infinity

  constructor(rounds: readonly (readonly RequestedCall[])[]) {
    this.#rounds = rounds
  }

  /** The steps as the next process finds them. */
  steps(): ToolStep[] {
    return [...this.journal.values()].map((step) =>
      step.state === 'running' ? { ...step, state: 'unknown' } : step,
    )
  }

  run(earlier: readonly ToolStep[] = [], more: Partial<LoopPorts> = {}): Promise<void> {
    return runToolLoop(
      {
        request: (round, messages) => {
          this.#tick()
          this.requests.push([...messages])
          return Promise.resolve({ text: `round ${String(round)}`, calls: this.#rounds[round] ?? [] })
        },
        find: (name) => (name === 'none' ? undefined : tool(name)),
        allows: (step) => {
          this.#tick()
          this.asked.push(step.id)
          return Promise.resolve(this.decide(step))
        },
        run: (step) => {
          this.#tick()
          this.effects.set(step.id, (this.effects.get(step.id) ?? 0) + 1)
          this.#tick()
          return Promise.resolve({ text: this.result, images: [], failed: step.functionName === 'fails' })
        },
        record: (step) => {
          this.#tick()
          this.journal.set(step.id, step)
        },
        requireBudget: () => undefined,
        acceptsImages: true,
        now: () => 1,
        signal: this.stop.signal,
        ...more,
      },
      PLACE,
      earlier,
    )
  }

  #tick(): void {
    this.left -= 1
    if (this.left < 0) throw new Killed()
  }
}

const tool = (name: string): NonNullable<ToolStep['tool']> => ({
  kind: 'server',
  sourceId: 'server',
  sourceName: 'server',
  name,
  programDigest: DIGEST,
  definitionDigest: DIGEST,
  sendsTo: 'program',
  mayAlways: false,
})
const call = (name: string, args = '{}', id = name): RequestedCall => ({ id, name, arguments: args })

describe('the loop', () => {
  it('runs the calls of each answer and sends their results, until an answer has none', async () => {
    const world = new Simulation([[call('a', '{"x":1}'), call('b', '')], [call('c')]])
    await world.run()
    expect(world.requests).toHaveLength(3)
    expect(world.requests[1]).toEqual([
      {
        role: 'assistant',
        content: 'round 0',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'a', arguments: '{"x":1}' } },
          { id: 'b', type: 'function', function: { name: 'b', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'result' },
      { role: 'tool', tool_call_id: 'b', content: 'result' },
    ])
    expect([...world.effects.values()]).toEqual([1, 1, 1])
    expect(world.steps().map(({ state, outcome }) => `${state} ${String(outcome)}`)).toEqual(
      Array.from({ length: 3 }, () => 'done result'),
    )
  })

  it('sends the other members of a call back, also after a crash', async () => {
    const more = { extra_content: { signature: 's' }, function: { signature: 'f' } }
    const world = new Simulation([[{ ...call('a', '{"x":1}'), more }]])
    const signed = {
      extra_content: { signature: 's' },
      id: 'a',
      type: 'function',
      function: { signature: 'f', name: 'a', arguments: '{"x":1}' },
    }
    await world.run()
    expect(world.requests[1]?.[0]).toMatchObject({ tool_calls: [signed] })
    world.requests.length = 0
    await world.run(world.steps().map((step) => toolStepSchema.parse(JSON.parse(JSON.stringify(step)))))
    expect(world.requests[0]?.[0]).toMatchObject({ tool_calls: [signed] })
  })

  it('feeds errors back: of a tool, of an unknown name, of arguments that aren’t an object', async () => {
    const world = new Simulation([[call('fails'), call('none'), call('a', '[1]'), call('b', '{')]])
    await world.run()
    expect(world.requests[1]?.slice(1).map((message) => message['content'])).toEqual([
      'Error: result',
      'Error: This chat has no tool of this name.',
      'Error: The arguments are not a JSON object.',
      'Error: The arguments are not a JSON object.',
    ])
    expect(world.effects.size).toBe(1)
    expect(world.asked).toHaveLength(1)
  })

  it('sends images only to a model that accepts them, as data', async () => {
    const withImage: Partial<LoopPorts> = {
      run: () =>
        Promise.resolve({ text: '[image 1]', images: [{ type: 'image/png', data: 'AAAA' }], failed: false }),
    }
    const world = new Simulation([[call('a')]])
    await world.run([], withImage)
    expect(JSON.stringify(world.requests[1])).toContain('data:image/png;base64,AAAA')
    const blind = new Simulation([[call('a')]])
    await blind.run([], { ...withImage, acceptsImages: false })
    expect(JSON.stringify(blind.requests[1])).not.toContain('base64')
  })

  it('doesn’t run a refused call, and tells the model', async () => {
    const world = new Simulation([[call('a'), call('b')]])
    world.decide = ({ functionName }) => functionName === 'b'
    await world.run()
    expect([...world.effects.keys()]).toEqual(['answer.0.1'])
    expect(world.requests[1]?.[1]).toMatchObject({ content: 'Error: The user did not allow this call.' })
  })

  it('ends after the limit of rounds', async () => {
    const world = new Simulation(Array.from({ length: 50 }, () => [call('a')]))
    await expect(world.run()).rejects.toMatchObject({ code: 'tools/loop-limit' })
    expect(world.requests).toHaveLength(MAX_ROUNDS)
  })

  it('checks the budget before each further request', async () => {
    const world = new Simulation(Array.from({ length: 50 }, () => [call('a')]))
    await expect(
      world.run([], {
        requireBudget: () => {
          if (world.requests.length === 2) throw new SottoError('tools/spending-limit')
        },
      }),
    ).rejects.toMatchObject({ code: 'tools/spending-limit' })
    expect(world.requests).toHaveLength(2)
  })

  it('a stop while a call waits for a decision runs nothing and sends nothing', async () => {
    const world = new Simulation([[call('a')]])
    world.decide = () => {
      world.stop.abort()
      return true
    }
    await expect(world.run()).rejects.toMatchObject({ code: 'request/canceled' })
    expect(world.effects.size).toBe(0)
    expect(world.requests).toHaveLength(1)
    expect(world.steps()).toMatchObject([{ state: 'done', outcome: 'stopped' }])
  })

  it('a call without an answer is unknown, and the model learns that', async () => {
    const world = new Simulation([[call('a')]])
    await world.run([], { run: () => Promise.reject(new SottoError('tools/server-failed')) })
    expect(world.steps()).toMatchObject([{ state: 'unknown' }])
    expect(world.requests[1]?.[1]?.['content']).toContain('not known whether this call ran')
  })
})

describe('after a kill', () => {
  const rounds = [[call('a'), call('b')], [call('c')]]

  it('at any operation, no call runs twice, and the answer can be continued to its end', async () => {
    let kills = 0
    for (let operations = 0; ; operations += 1) {
      const world = new Simulation(rounds)
      world.left = operations
      const killed = await world.run().then(
        () => false,
        (thrown: unknown) => {
          if (thrown instanceof Killed) return true
          throw thrown
        },
      )
      if (!killed) break
      kills += 1
      const left = world.steps()
      world.left = Infinity
      const before = world.asked.length
      await world.run(left)
      for (const [id, count] of world.effects) expect([operations, id, count]).toEqual([operations, id, 1])
      for (const step of world.steps()) expect(step.state === 'done' || step.state === 'unknown').toBe(true)
      const unknown = left.filter(({ state }) => state === 'unknown').map(({ id }) => id)
      expect(world.asked.slice(before).filter((id) => unknown.includes(id))).toEqual([])
    }
    expect(kills).toBeGreaterThan(15)
  })

  it('a call that may have run is never asked for or run again', async () => {
    const world = new Simulation(rounds)
    await world.run([
      {
        ...PLACE,
        id: 'answer.0.0',
        round: 0,
        index: 0,
        callId: 'a',
        functionName: 'a',
        tool: tool('a'),
        arguments: '{}',
        state: 'running',
      },
      {
        ...PLACE,
        id: 'answer.0.1',
        round: 0,
        index: 1,
        callId: 'b',
        functionName: 'b',
        tool: tool('b'),
        arguments: '{}',
        state: 'asked',
      },
    ])
    expect(world.asked).toEqual(['answer.0.1', 'answer.1.0'])
    expect([...world.effects.keys()]).toEqual(['answer.0.1', 'answer.1.0'])
    expect(world.journal.get('answer.0.0')?.state).toBe('unknown')
  })
})
