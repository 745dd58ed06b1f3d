import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ChatParameters } from '../../../shared/conversation.ts'
import type { Privacy } from '../../../shared/privacy.ts'
import { useCurrentChat } from '../../ui/current-chat.ts'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { showPrivacySheet } from '../../ui/seal.ts'
import { useStatus } from '../../ui/status-store.ts'
import { useVerdict } from '../../ui/verdict-store.ts'
import { useChat } from './chat-store.ts'
import styles from './composer.module.css'
import { ContextGauge } from './context-gauge.tsx'
import { estimateWords } from './estimate.ts'

interface BelowProps {
  /** Of the whole request. */
  tokens: number
  /** Whether there is a draft to price. A search costs something without one. */
  priced: boolean
  model: string | undefined
  /** Undefined while no model is known. */
  privacy: Privacy | undefined
  /** Why the draft can't be sent as it is. */
  refusal: string | undefined
  /** The conversation is private and this model isn't: the person first sees the messages that it would read. */
  asks: boolean
  parameters: ChatParameters | undefined
  /** Sotto searches the web first. */
  searching: boolean
}

/** Shows, before anything is sent, who will be able to read it and what it costs. */
export function ComposerBelow({
  model,
  privacy,
  refusal,
  asks,
  parameters,
  searching,
  tokens,
  priced,
}: BelowProps) {
  const notice =
    refusal ??
    (asks
      ? t`This chat is private. Before anything is sent, you see what would be exposed and decide.`
      : privacy === 'refused'
        ? t`The last verification failed. Sending starts a new one first.`
        : undefined)
  return (
    <div className={styles.below} id="who-reads">
      {privacy && (
        <span className={styles.promise}>
          <Seal privacy={privacy} model={model} />
          <span>{notice ?? <ReaderSentence privacy={privacy} />}</span>
        </span>
      )}
      {privacy === 'sealed' && <FreshEvidenceAsk />}
      <Price model={model} parameters={parameters} searching={searching} tokens={tokens} priced={priced} />
    </div>
  )
}

/** Shown until the person chooses, if the service didn't pass on the question for fresh evidence. */
function FreshEvidenceAsk() {
  const unchosen = useStatus(({ status }) => status?.service.asksFreshEvidence === true)
  const isOld = useVerdict(
    ({ verdict }) => verdict?.good === true && verdict.freshness?.kind === 'at-least-as-new-as',
  )
  if (!unchosen || !isOld) return null
  return (
    <span>
      <Trans>
        The enclave’s evidence isn’t fresh.{' '}
        <a href="#/privacy/requirements">Choose who Sotto asks for fresh evidence</a>
      </Trans>
    </span>
  )
}

interface SealProps {
  privacy: Privacy
  model: string | undefined
}

/** The label of the privacy state. It opens the sheet that explains the state. */
export function Seal({ privacy, model }: SealProps) {
  return (
    <button
      type="button"
      className={styles.seal}
      title={t`Show who can read this chat`}
      onClick={() => model !== undefined && showPrivacySheet({ privacy, model })}
    >
      <PrivacyMark privacy={privacy} />
    </button>
  )
}

/** The sentence after the label of the state. */
function ReaderSentence({ privacy }: { privacy: Privacy }) {
  const { mayForward } = useCurrentChat()
  switch (privacy) {
    case 'sealed':
      return <Trans>Sealed to the verified enclave, or not sent.</Trans>
    case 'relayed':
      return mayForward ? (
        <Trans>
          The model’s provider can read this. If the service’s enclave can’t be verified, the service can too.
        </Trans>
      ) : (
        <Trans>The model’s provider can read this; the service can’t.</Trans>
      )
    case 'forwarded':
      return <Trans>The service and the model’s provider can read this.</Trans>
    case 'refused':
      return null
  }
}

function Price({
  model,
  parameters,
  searching,
  tokens,
  priced,
}: Pick<BelowProps, 'model' | 'parameters' | 'searching' | 'tokens' | 'priced'>) {
  const listed = useChat((state) => state.models?.find(({ id }) => id === model))
  return (
    <>
      {priced && (
        <span className={styles.price}>
          {estimateWords(listed, { prompt: tokens, maxTokens: parameters?.maxTokens, searching })}
        </span>
      )}
      {listed && <ContextGauge tokens={tokens} contextLength={listed.contextLength} />}
    </>
  )
}
