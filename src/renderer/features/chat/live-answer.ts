import { createStore, type StoreApi } from 'zustand'
import type { ChatEvent } from '../../../shared/contract/sotto-contract.ts'
import type { ToolStep } from '../../../shared/tool-call.ts'
import { BlockGrowth, type GrowingBlocks } from './blocks.ts'
import { ThinkingSplit } from './thinking.ts'

export type Stage = Extract<ChatEvent, { type: 'stage' }>['stage']

export interface LiveState {
  readonly stage: Stage
  readonly growth: GrowingBlocks
  /** The end of the model's reasoning. The finished reply has all of it. */
  readonly reasoning: string
  readonly hasText: boolean
  /** Tools that it asks to be called, by name. */
  readonly calling: readonly string[]
  /** The calls that Sotto runs, in order. */
  readonly steps: readonly ToolStep[]
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
  steps: [],
  startedAt: 0,
}

/** The store of a reply that isn't coming. */
export const noAnswer: StoreApi<LiveState> = createStore<LiveState>()(() => nothing)

/** An arriving reply. Parts are collected and shown once per frame, regardless of the speed of the stream. */
export class LiveAnswer {
  readonly store: StoreApi<LiveState>
  #growth = new BlockGrowth()
  readonly #split = new ThinkingSplit()
  /** The text without the thoughts that the model wrote into it. */
  #shown = ''
  #text: string[] = []
  #arrived = ''
  #reasoning = ''
  #stage: Stage = 'proving'
  #waiting = false
  #calling: readonly string[] = []
  #steps: ReadonlyMap<string, ToolStep> = new Map()

  constructor(startedAt: number) {
    this.store = createStore<LiveState>()(() => ({ ...nothing, startedAt }))
  }

  /** All text that arrived, including text that isn't shown yet. */
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

  /** A call began or changed. */
  step(step: ToolStep): void {
    this.#steps = new Map(this.#steps).set(step.id, step)
    this.#show()
  }

  add(text: string, reasoning: string): void {
    if (text) this.#text.push(text)
    this.#arrived += text
    this.#reasoning += reasoning
    this.#show()
  }

  /** Updates in the next frame. A hidden window has no frames, so it uses a timer. */
  #show(): void {
    if (this.#waiting) return
    this.#waiting = true
    if (document.hidden) setTimeout(() => this.#flush(), HIDDEN_MS)
    else requestAnimationFrame(() => this.#flush())
  }

  #flush(): void {
    this.#waiting = false
    const { text, reasoning, moved } = this.#split.add(this.#arrived)
    this.#arrived = ''
    if (moved) {
      this.#reasoning += this.#shown
      this.#shown = ''
      this.#growth = new BlockGrowth()
    }
    this.#shown += text
    this.#reasoning += reasoning
    this.#growth.add(text)
    this.store.setState({
      stage: this.#stage,
      growth: this.#growth.state,
      reasoning: this.#reasoning.slice(-REASONING_SHOWN),
      hasText: this.#shown.trim() !== '',
      calling: this.#calling,
      steps: [...this.#steps.values()],
    })
  }
}
