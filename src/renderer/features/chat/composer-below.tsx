import { useDeferredValue, useMemo } from 'react'
import type { Attachment } from '../../../shared/attachment.ts'
import type { ShownMessage } from '../../../shared/conversation-tree.ts'
import type { Privacy } from '../../../shared/privacy.ts'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { useVerdict } from '../../ui/verdict-store.ts'
import { allAttachments, hasImages } from './attachments/what-is-sent.ts'
import { useChat } from './chat-store.ts'
import styles from './composer.module.css'
import { ContextGauge } from './context-gauge.tsx'
import { attachedTokens, estimateWords, historyTokens, tokensOf } from './estimate.ts'

interface BelowProps {
  model: string | undefined
  /** Undefined while no model is known. */
  privacy: Privacy | undefined
  /** Why it cannot be sent as it is. */
  refusal: string | undefined
  /** The conversation is private and this model is not: what it would read is shown first. */
  asks: boolean
  shown: readonly ShownMessage[]
  systemPrompt: string
  text: string
  /** To what is written. */
  attached: readonly Attachment[]
  /** The web is searched first. */
  searching: boolean
}

/** Said before anything is sent: who will be able to read it, and what it costs. */
export function ComposerBelow({ model, privacy, refusal, asks, shown, systemPrompt, text, attached, searching }: BelowProps) {
  const refusedLast = useVerdict((state) => state.verdict?.good === false)
  const says = refusal ?? (asks ? 'This conversation is private. You are shown what would be exposed, and asked, before anything leaves.' : refusedLast && privacy === 'sealed' ? 'The last proof was refused. Sending asks for a new one first.' : undefined)
  return (
    <div className={styles.below} id="who-reads">
      {privacy && <span className={styles.promise}><PrivacyMark privacy={privacy} /><span>{says ?? promise[privacy]}</span></span>}
      <Price model={model} shown={shown} systemPrompt={systemPrompt} text={text} attached={attached} searching={searching} />
    </div>
  )
}

const promise: Readonly<Record<Privacy, string>> = {
  sealed: 'This goes out sealed, or not at all.',
  forwarded: 'and by whoever runs the model for it.',
  refused: '',
}

function Price({ model, shown, systemPrompt, text, attached, searching }: Pick<BelowProps, 'model' | 'shown' | 'systemPrompt' | 'text' | 'attached' | 'searching'>) {
  const listed = useChat((state) => state.models?.find(({ id }) => id === model))
  const history = useMemo(() => historyTokens(shown.map(({ message }) => message)) + (systemPrompt === '' ? 0 : tokensOf(systemPrompt)), [shown, systemPrompt])
  const images = useMemo(() => hasImages(allAttachments(shown.map(({ message }) => message), attached)), [shown, attached])
  const written = useDeferredValue(text)
  const before = history + attachedTokens(attached)
  return (
    <>
      <span className={styles.price}>{estimateWords(listed, before, written, searching)}</span>
      {listed && <ContextGauge tokens={before + tokensOf(written)} contextLength={listed.contextLength} images={images} />}
    </>
  )
}
