/** Minimum delay of the next piece, so that its beginning isn't cut off. */
const LEAD_S = 0.06

/**
 * Plays sounds one after another without a gap. Each is decoded whole while the former one plays. The next piece is
 * requested only when the former one begins, so that a person who stops doesn't pay for it.
 */
export class PiecePlayer {
  readonly #context = new AudioContext()
  #next = 0
  readonly #stop = new AbortController()

  get paused(): boolean {
    return this.#context.state === 'suspended'
  }

  async pause(): Promise<void> {
    await this.#context.suspend()
  }

  async resume(): Promise<void> {
    await this.#context.resume()
  }

  /** Stops the sound. No more pieces are requested. */
  stop(): void {
    this.#stop.abort()
    if (this.#context.state !== 'closed') void this.#context.close()
  }

  /**
   * Plays to the end of the last piece, or until it is stopped. Throws what `fetch` throws, and DOMException if a piece
   * isn't sound.
   * @param began called for each piece when its playback begins
   */
  async play(
    pieces: number,
    fetch: (piece: number) => Promise<Blob>,
    began: (piece: number) => void,
  ): Promise<void> {
    const { signal } = this.#stop
    const gone = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    const isOver = (): boolean => signal.aborted
    let coming = this.#decoded(fetch(0))
    for (let piece = 0; piece < pieces; piece += 1) {
      const buffer = await coming
      if (isOver()) return
      const source = this.#context.createBufferSource()
      source.buffer = buffer
      source.connect(this.#context.destination)
      const at = Math.max(this.#context.currentTime + LEAD_S, this.#next)
      source.start(at)
      this.#next = at + buffer.duration
      const over = new Promise<void>((resolve) => source.addEventListener('ended', () => resolve()))
      await Promise.race([this.#reached(at), gone])
      if (isOver()) return
      began(piece)
      if (piece + 1 < pieces) {
        coming = this.#decoded(fetch(piece + 1))
        // A failure is handled when this piece is nearly over.
        coming.catch(() => undefined)
        await Promise.race([
          coming.then(
            () => undefined,
            () => over,
          ),
          gone,
        ])
      } else await Promise.race([over, gone])
      if (isOver()) return
    }
  }

  async #decoded(content: Promise<Blob>): Promise<AudioBuffer> {
    return this.#context.decodeAudioData(await (await content).arrayBuffer())
  }

  /** Waits for a time of the context's clock, which stops while the context is paused. */
  async #reached(at: number): Promise<void> {
    while (!this.#stop.signal.aborted && this.#context.state !== 'closed' && this.#context.currentTime < at)
      await new Promise((resolve) => setTimeout(resolve, 40))
  }
}
