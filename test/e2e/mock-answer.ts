import { ChatEvents } from '../../src/core/conversations/chat-events.ts'
import type { WebSearch } from '../../src/shared/answer-parts.ts'
import type { ChatEvent, Failure } from '../../src/shared/contract/sotto-contract.ts'
import type { Message } from '../../src/shared/conversation.ts'
import { isPrivateModel } from '../../src/shared/privacy.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import type { ToolStep } from '../../src/shared/tool-call.ts'
import type { Status } from '../../src/shared/status.ts'

/** A reply that the window waits for. The test controls how it continues. */
export class MockAnswer {
  /** The window's request. If a question is asked again, it has the question's text too. */
  readonly input: {
    conversationId?: string | undefined
    parentId?: string | null | undefined
    questionId?: string
    model: string
    text: string
    consentId?: string | undefined
    webSearch?: WebSearch | undefined
    comparing?: true | undefined
    tools?: readonly string[] | undefined
    passageIds?: readonly string[] | undefined
  }
  /** Settles when a window stops the reply. */
  readonly stopped: Promise<void>
  readonly events = new ChatEvents()
  readonly #message: Message
  readonly #openChat: () => Status['service']['openChat']
  #noteStopped: () => void = () => undefined
  #text = ''

  constructor(input: MockAnswer['input'], message: Message, route: () => Status['service']['openChat']) {
    this.#openChat = route
    this.input = input
    this.#message = message
    this.stopped = new Promise((resolve) => (this.#noteStopped = resolve))
  }

  get id(): string {
    return this.#message.id
  }

  stop(): void {
    this.#noteStopped()
    this.#finish({ state: 'cancelled', text: this.#text })
  }

  stage(stage: Extract<ChatEvent, { type: 'stage' }>['stage']): void {
    this.events.push({ type: 'stage', stage })
  }

  delta(text: string): void {
    this.#text += text
    this.events.push({ type: 'delta', text })
  }

  /** A change of a tool call that the core runs. */
  step(step: ToolStep): void {
    this.events.push({ type: 'step', step })
  }

  /** A tool call of the model. */
  calling(name: string): void {
    this.events.push({ type: 'calling', name })
  }

  reasoning(reasoning: string): void {
    this.events.push({ type: 'delta', reasoning })
  }

  end(part: Partial<Message> = {}, storedReceipt?: Receipt, failed?: Failure): void {
    this.#finish(
      {
        text: this.#text,
        state: 'complete',
        privacy: isPrivateModel(this.input.model) ? 'sealed' : this.#openChat(),
        ...(storedReceipt ? { receiptId: storedReceipt.id } : {}),
        ...part,
      },
      storedReceipt,
      failed,
    )
  }

  /** Simulates a crash of the core during the stream, after which the core finds the reply interrupted. */
  cut(): void {
    Object.assign(this.#message, { state: 'interrupted', text: this.#text })
    this.events.fail(new Error('the door was cut'))
  }

  #finish(part: Partial<Message>, receipt?: Receipt, failed?: Failure): void {
    Object.assign(this.#message, part)
    this.events.push({
      type: 'ended',
      answer: { ...this.#message },
      ...(receipt && { receipt }),
      ...(failed ? { failure: failed } : {}),
    })
    this.events.end()
  }
}
