import { describe, expect, it } from 'vitest'
import { MARK, mainThread, workPerFlush } from './trace.ts'

const at = (name: string, ts: number, part: object = {}) => ({
  name,
  ph: 'X',
  pid: 1,
  tid: 2,
  ts: ts * 1000,
  ...part,
})

describe('mainThread', () => {
  it('returns only the tasks and frames of the marked thread, in time order', () => {
    const json = JSON.stringify({
      traceEvents: [
        at('RunTask', 30, { dur: 4000, tdur: 3000 }),
        at('RunTask', 10, { dur: 2000 }),
        at('RunTask', 11, { dur: 9000, tid: 3 }),
        at('RunTask', 12, { dur: 9000, pid: 5 }),
        at('BeginMainThreadFrame', 31),
        { name: 'thread_name', ph: 'M' },
        at(MARK, 10),
      ],
    })
    expect(mainThread(json)).toEqual({
      tasks: [
        { at: 10, ms: 2, work: 2 },
        { at: 30, ms: 4, work: 3 },
      ],
      frames: [31],
    })
  })

  it('refuses a trace without the mark', () => {
    expect(() => mainThread(JSON.stringify({ traceEvents: [at('RunTask', 1, { dur: 1 })] }))).toThrow('mark')
  })
})

describe('workPerFlush', () => {
  it('sums the work since the last frame, including the task of the new frame', () => {
    const tasks = [
      [0, 50],
      [60, 4],
      [65, 1],
      [70, 2],
      [76, 3],
      [90, 7],
    ].map(([at = 0, work = 0]) => ({ at, ms: work + 0.5, work }))
    expect(workPerFlush({ tasks, frames: [61, 77] })).toEqual([1 + 2 + 3])
    expect(workPerFlush({ tasks, frames: [61, 77, 91] })).toEqual([6, 7])
    expect(workPerFlush({ tasks, frames: [] })).toEqual([])
  })
})
