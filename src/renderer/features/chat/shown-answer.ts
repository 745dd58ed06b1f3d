import { t } from '@lingui/core/macro'
import type { ChatEvent, Failure } from '../../../shared/contract/sotto-contract.ts'
import type { Message } from '../../../shared/conversation.ts'
import { pause } from '../../data/watch.ts'
import { announce } from '../../ui/announcer.tsx'
import { api } from '../../ui/api.ts'
import { asFailure } from '../../ui/failure.ts'
import { fromCore, translatedFailure } from '../../ui/language/core-sentences.ts'
import { privacyWord } from '../../ui/privacy-mark.tsx'
import { keepReceipts } from '../../ui/receipt-store.ts'
import { onServiceChange } from '../../ui/status-store.ts'
import { verdictState } from '../../ui/verdict-state.ts'
import { readVerdict, refreshVerdict } from '../../ui/verdict-store.ts'
import { addLive, dropLive, putMessages, useChat } from './chat-store.ts'
import { LiveAnswer } from './live-answer.ts'
import { SpokenProgress } from './spoken-progress.ts'

/** Milliseconds before each attempt to read an answer again after its stream broke. */
const READ_AGAIN_MS = [0, 150, 500, 1500, 4000]

/** Shows an answer while it arrives. The core writes it: closing the window doesn't stop it. */
export class ShownAnswer {
  readonly answer: Message
  readonly #live: LiveAnswer
  readonly #spoken: SpokenProgress
  readonly #compared: boolean
  #ended = false

  /** @param compared whether several models answer at once. Then only the end of each is announced. */
  constructor(answer: Message, compared = false) {
    this.answer = answer
    this.#compared = compared
    this.#live = new LiveAnswer(answer.createdAt)
    this.#spoken = new SpokenProgress(compared ? () => undefined : announce)
    putMessages(answer.conversationId, answer)
    addLive(answer.conversationId, {
      answerId: answer.id,
      answer: this.#live,
      stop: () => void stopRunning(answer),
    })
  }

  get ended(): boolean {
    return this.#ended
  }

  take(event: ChatEvent): void {
    switch (event.type) {
      case 'started':
        return
      case 'stage':
        // A message is sealed only for a verified enclave.
        if (event.stage === 'sealing' && verdictState(readVerdict().verdict, Date.now()) !== 'verified')
          void refreshVerdict()
        this.#spoken.stage(event.stage)
        return this.#live.stage(event.stage)
      case 'delta':
        this.#spoken.text(event.text ?? '')
        return this.#live.add(event.text ?? '', event.reasoning ?? '')
      case 'calling':
        return this.#live.calling(event.name)
      case 'step':
        if (event.step.state === 'asked') announce(t`A tool call waits for your decision.`)
        return this.#live.step(event.step)
      case 'ended':
        return this.#end(event)
    }
  }

  /** The stream broke and the core didn't answer again. The text that arrived remains. */
  interrupt(failure: Failure): void {
    const { text, reasoning } = this.#live
    const answer: Message = {
      ...this.answer,
      text,
      ...(reasoning ? { reasoning } : {}),
      state: 'interrupted',
    }
    this.#settle(answer, failure)
    const { id, conversationId } = answer
    useChat.setState(({ cutOff }) => ({
      cutOff: { ...cutOff, [conversationId]: [...(cutOff[conversationId] ?? []), id] },
    }))
    this.#spoken.end(fromCore(failure.says))
  }

  /** The service has changed, so the reply is no longer shown. */
  discard(): void {
    dropLive(this.answer.conversationId, this.answer.id)
  }

  #end({ answer, receipt, failure }: Extract<ChatEvent, { type: 'ended' }>): void {
    if (receipt) keepReceipts([receipt])
    // A stored answer that no core writes any longer isn't in progress.
    const ended: Message = answer.state === 'streaming' ? { ...answer, state: 'interrupted' } : answer
    const stopped = ended.state === 'cancelled'
    this.#settle(ended, stopped ? undefined : failure)
    if (this.#compared) return announceEnd(ended)
    this.#spoken.end(stopped ? t`Stopped.` : failure ? failureWords(failure) : endWords(ended))
  }

  #settle(answer: Message, failure: Failure | undefined): void {
    this.#ended = true
    if (failure) useChat.setState(({ endings }) => ({ endings: { ...endings, [answer.id]: failure } }))
    putMessages(answer.conversationId, answer)
    dropLive(answer.conversationId, answer.id)
  }
}

async function stopRunning({ id: answerId, conversationId }: Message): Promise<void> {
  try {
    await api.chat.stop({ answerId })
  } catch (thrown) {
    const failure = asFailure(thrown)
    useChat.setState(({ unsent }) => ({ unsent: { ...unsent, [conversationId]: failure } }))
  }
}

/** Aborts when the service that these answers come from is left. */
let serviceLeft = new AbortController()

onServiceChange(() => {
  serviceLeft.abort()
  serviceLeft = new AbortController()
})

/** The answers that this window follows, by ID, so that each is read once. */
const followed = new Set<string>()

/** Shows an answer that another tab, a command, or this window before it was reloaded asked for. */
export async function followAnswer(answer: Message): Promise<void> {
  if (followed.has(answer.id)) return
  followed.add(answer.id)
  try {
    await readAgain(new ShownAnswer(answer), undefined)
  } finally {
    followed.delete(answer.id)
  }
}

/**
 * Reads an answer from its beginning after its stream broke, until it has ended. While the core can't be
 * reached, what arrived before stays visible.
 */
export async function readAgain(before: ShownAnswer, broken: Failure | undefined): Promise<void> {
  const { signal } = serviceLeft
  const { id: answerId, conversationId } = before.answer
  let shown = before
  let failure = broken
  for (const wait of READ_AGAIN_MS) {
    await pause(wait, signal)
    try {
      let first = true
      for await (const event of await api.chat.follow({ conversationId, answerId }, { signal })) {
        if (signal.aborted) break
        if (first && event.type !== 'ended') shown = new ShownAnswer(shown.answer)
        first = false
        shown.take(event)
      }
    } catch (thrown) {
      failure = asFailure(thrown)
    }
    if (signal.aborted) return shown.discard()
    if (shown.ended) return
  }
  shown.interrupt(failure ?? asFailure(new TypeError('the stream ended early')))
}

function failureWords(failure: Failure): string {
  const { says, remedy } = translatedFailure(failure)
  return `${says} ${remedy}`
}

function endWords({ privacy }: Message): string {
  if (privacy === undefined) return t`Reply complete.`
  const word = privacyWord[privacy]
  return t`Reply complete. ${word}`
}

function announceEnd({ model, state }: Message): void {
  const name = useChat.getState().models?.find(({ id }) => id === model)?.name ?? model ?? ''
  announce(state === 'complete' ? t`${name} finished.` : t`${name} stopped early.`)
}
