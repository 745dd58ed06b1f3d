import { createStore, type StoreApi } from 'zustand'
import type { ChatEvent } from '../../../shared/contract/sotto-contract.ts'
import { BlockGrowth, type GrowingBlocks } from './blocks.ts'

export type Stage = Extract<ChatEvent, { type: 'stage' }>['stage']

export interface LiveState {
  readonly stage: Stage
  readonly growth: GrowingBlocks
  /** The end of what the model thinks; the whole of it comes with the finished answer. */
  readonly reasoning: string
  readonly hasText: boolean
  /** Tools that it asks to be called, by name. */
  readonly calling: readonly string[]
  readonly startedAt: number
}

const REASONING_SHOWN = 1200
const HIDDEN_MS = 500

const nothing: LiveState = {
  stage: 'proving',
  growth: new BlockGrowth().state,
  reasoning: '',
  hasText: false,
  calling: [],
  startedAt: 0,
}

/** In the place of an answer's store where none is coming. */
export const noAnswer: StoreApi<LiveState> = createStore<LiveState>()(() => nothing)

/** An answer that is coming: what arrives is gathered and shown once in a frame, whatever the pace of the stream. */
export class LiveAnswer {
  readonly store: StoreApi<LiveState>
  readonly #growth = new BlockGrowth()
  #text: string[] = []
  #arrived = ''
  #reasoning = ''
  #stage: Stage = 'proving'
  #waiting = false
  #calling: readonly string[] = []

  constructor(startedAt: number) {
    this.store = createStore<LiveState>()(() => ({ ...nothing, startedAt }))
  }

  /** Everything that arrived, also what is not shown yet. */
  get text(): string {
    return this.#text.join('')
  }

  get reasoning(): string {
    return this.#reasoning
  }

  stage(stage: Stage): void {
    this.#stage = stage
    this.#show()
  }

  calling(name: string): void {
    this.#calling = [...this.#calling, name]
    this.#show()
  }

  add(text: string, reasoning: string): void {
    if (text) this.#text.push(text)
    this.#arrived += text
    this.#reasoning += reasoning
    this.#show()
  }

  /** In the next frame; a window that nobody sees has none. */
  #show(): void {
    if (this.#waiting) return
    this.#waiting = true
    if (document.hidden) setTimeout(() => this.#flush(), HIDDEN_MS)
    else requestAnimationFrame(() => this.#flush())
  }

  #flush(): void {
    this.#waiting = false
    this.#growth.add(this.#arrived)
    this.#arrived = ''
    this.store.setState({
      stage: this.#stage,
      growth: this.#growth.state,
      reasoning: this.#reasoning.slice(-REASONING_SHOWN),
      hasText: this.#text.length > 0,
      calling: this.#calling,
    })
  }
}
