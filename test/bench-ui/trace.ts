import { z } from 'zod'

const event = z.object({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  ts: z.number(),
  dur: z.number().optional(),
  tdur: z.number().optional(),
})
const trace = z.object({ traceEvents: z.array(z.looseObject({})) })

/** One task of the main thread, in milliseconds. */
export interface Task {
  readonly at: number
  /** Wall-clock time, in which other programs may have used the processor. */
  readonly ms: number
  /** Processor time. */
  readonly work: number
}

export interface MainThread {
  readonly tasks: readonly Task[]
  /** The times at which the thread began a frame. */
  readonly frames: readonly number[]
}

/** The page sets this mark with performance.mark, so that its thread differs from those of other pages. */
export const MARK = 'bench-ui'
/** The categories that a trace needs to be parsed here. */
export const CATEGORIES = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'blink.user_timing',
]

/**
 * The main thread of the page that set the mark, from a trace of the browser (Tracing of the DevTools
 * protocol).
 */
export function mainThread(json: string): MainThread {
  const events = trace.parse(JSON.parse(json)).traceEvents.flatMap((each) => event.safeParse(each).data ?? [])
  const mark = events.find(({ name }) => name === MARK)
  if (!mark) throw new Error('the trace does not hold the mark of the page')
  const threadEvents = events
    .filter(({ pid, tid }) => pid === mark.pid && tid === mark.tid)
    .sort((a, b) => a.ts - b.ts)
  return {
    tasks: threadEvents.flatMap(({ name, ph, ts, dur = 0, tdur = dur }) =>
      name === 'RunTask' && ph === 'X' ? [{ at: ts / 1000, ms: dur / 1000, work: tdur / 1000 }] : [],
    ),
    frames: threadEvents.flatMap(({ name, ts }) => (name === 'BeginMainThreadFrame' ? [ts / 1000] : [])),
  }
}

/**
 * The work of each flush, in milliseconds of processor time. A flush covers the thread's work from the end of
 * one frame's task to the end of the next. In that time, new data arrives, and is rendered, laid out and
 * painted with the next frame.
 */
export function workPerFlush({ tasks, frames }: MainThread): number[] {
  const flushes: number[] = []
  let sum = 0
  let frame = 0
  let begun = false
  for (const { at, ms, work } of tasks) {
    sum += work
    let hasFrame = false
    while (frame < frames.length && (frames[frame] ?? 0) <= at + ms) {
      hasFrame ||= (frames[frame] ?? 0) >= at
      frame += 1
    }
    if (!hasFrame) continue
    // The start of the first flush is unknown, because no frame precedes it.
    if (begun) flushes.push(sum)
    begun = true
    sum = 0
  }
  return flushes
}
