/** Milliseconds of one frame that such work may take; its last piece may pass them. */
const BUDGET_MS = 5

let spent = 0
let counting = false
const waiting = new Set<() => void>()

/** Does it now where this frame has time left, else in one of the next: a hundred formulas at once freeze nothing. */
export function whenThereIsTime(work: () => void): () => void {
  if (spent < BUDGET_MS && waiting.size === 0) run(work)
  else waiting.add(work)
  nextFrame()
  return () => waiting.delete(work)
}

function run(work: () => void): void {
  const start = performance.now()
  work()
  spent += performance.now() - start
}

function nextFrame(): void {
  if (counting) return
  counting = true
  requestAnimationFrame(() => {
    counting = false
    spent = 0
    for (const work of waiting) {
      if (spent >= BUDGET_MS) break
      waiting.delete(work)
      run(work)
    }
    if (waiting.size > 0) nextFrame()
  })
}
