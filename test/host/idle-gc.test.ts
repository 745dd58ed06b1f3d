import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { giveMemoryBack, IdleGc } from '../../src/host/idle-gc.ts'

const MB = 1 << 20

describe('idle memory', () => {
  const state = { busy: false, resident: 100 * MB, givenBack: 0 }
  let memory: IdleGc

  beforeEach(() => {
    vi.useFakeTimers()
    Object.assign(state, { busy: false, resident: 100 * MB, givenBack: 0 })
    memory = new IdleGc({
      atRest: () => Promise.resolve(!state.busy),
      usage: () => ({ rss: state.resident }),
      giveBack: () => {
        state.givenBack++
        state.resident = 80 * MB
        return Promise.resolve()
      },
    })
  })
  afterEach(() => {
    memory.close()
    vi.useRealTimers()
  })

  it('is released two seconds after the start', async () => {
    memory.settle()
    await vi.advanceTimersByTimeAsync(1_999)
    expect(state.givenBack).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(state.givenBack).toBe(1)
  })

  it('is released once, thirty seconds after the last activity', async () => {
    memory.settle()
    memory.stir()
    for (let second = 0; second < 60; second++) {
      await vi.advanceTimersByTimeAsync(1_000)
      memory.stir()
    }
    expect(state.givenBack).toBe(0)
    await vi.advanceTimersByTimeAsync(29_999)
    expect(state.givenBack).toBe(0)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(state.givenBack).toBe(1)
  })

  it('is not released while a request is in progress', async () => {
    state.busy = true
    memory.stir()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(state.givenBack).toBe(0)
    state.busy = false
    await vi.advanceTimersByTimeAsync(30_000)
    expect(state.givenBack).toBe(1)
  })

  it('is released again only if it has grown', async () => {
    const rest = async () => {
      memory.stir()
      await vi.advanceTimersByTimeAsync(30_000)
    }
    await rest()
    state.resident = 95 * MB
    await rest()
    expect(state.givenBack).toBe(1)
    state.resident = 96 * MB
    await rest()
    expect(state.givenBack).toBe(2)
  })

  it('is not released after the end', async () => {
    memory.stir()
    memory.close()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(state.givenBack).toBe(0)
  })
})

it('returns released memory to the system', async () => {
  const objects = Array.from({ length: 2_000_000 }, (_, at) => ({ at }))
  const full = process.memoryUsage.rss()
  expect(objects.length).toBe(2_000_000)
  objects.length = 0
  await giveMemoryBack()
  expect(process.memoryUsage.rss()).toBeLessThan(full - 50 * MB)
})
