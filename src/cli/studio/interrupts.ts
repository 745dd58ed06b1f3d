/** Ctrl-C: the first asks to stop the job, the second to leave at once. */
export interface Interrupts extends Disposable {
  readonly asked: AbortSignal
  readonly insisted: AbortSignal
}

/** Until it is disposed of, Ctrl-C does not end this process. */
export function listenForInterrupts(): Interrupts {
  const asked = new AbortController()
  const insisted = new AbortController()
  const onInterrupt = (): void => (asked.signal.aborted ? insisted : asked).abort()
  process.on('SIGINT', onInterrupt)
  return {
    asked: asked.signal,
    insisted: insisted.signal,
    [Symbol.dispose]: () => void process.off('SIGINT', onInterrupt),
  }
}
