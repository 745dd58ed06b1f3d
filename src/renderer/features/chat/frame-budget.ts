/** Milliseconds of one frame that such work may take; its last piece may pass them. */
const BUDGET_MS = 12

let spent = 0
let counting = false
/** The last that came is the first done: an answer is read at its end. */
const waiting: (() => void)[] = []

/** The result if this frame has time left. Otherwise the caller uses `whenThereIsTime`. */
export function ifThereIsTime<Result>(work: () => Result): Result | undefined {
  return spent < BUDGET_MS ? timed(work) : undefined
}

/**
 * Does the work now if this frame has time left, or else in a later frame, so that a thousand blocks at once don't
 * freeze the window.
 */
export function whenThereIsTime(work: () => void): () => void {
  if (spent < BUDGET_MS && waiting.length === 0) timed(work)
  else waiting.push(work)
  nextFrame()
  return () => {
    const at = waiting.lastIndexOf(work)
    if (at !== -1) waiting.splice(at, 1)
  }
}

function timed<Result>(work: () => Result): Result {
  nextFrame()
  const start = performance.now()
  try {
    return work()
  } finally {
    spent += performance.now() - start
  }
}

function nextFrame(): void {
  if (counting || typeof requestAnimationFrame !== 'function') return
  counting = true
  requestAnimationFrame(() => {
    counting = false
    spent = 0
    while (spent < BUDGET_MS) {
      const work = waiting.pop()
      if (!work) return
      timed(work)
    }
    nextFrame()
  })
}
