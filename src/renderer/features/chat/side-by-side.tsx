import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Tabs } from 'radix-ui'
import { useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type { Message } from '../../../shared/conversation.ts'
import { sumPicoUsd } from '../../../shared/money.ts'
import { treeOf } from '../../../shared/conversation-tree.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import { costOf } from '../../../shared/receipt-cost.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { codedFailure } from '../../ui/failure.ts'
import { formatList } from '../../ui/format/list.ts'
import { formatRecordedUsd } from '../../ui/format/money.ts'
import { formatLatency } from '../../ui/format/time.ts'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { fetchReceipt, useReceipts } from '../../ui/receipt-store.ts'
import tabs from '../../ui/tabs.module.css'
import { AnswerBody } from './answer-body.tsx'
import { speedWords, tokenWords } from './answer-facts.ts'
import { goOnWith } from './branches.ts'
import { showSideBySide, useChat, type Live } from './chat-store.ts'
import { askReadable, useDeclined } from './compare.ts'
import { noAnswer } from './live-answer.ts'
import { ReceiptMark } from './message-privacy.tsx'
import { stopAnswer } from './send.ts'
import styles from './side-by-side.module.css'

interface SideBySideProps {
  conversationId: string
  questionId: string
  messages: readonly Message[]
}

const noLive: readonly Live[] = []
const nobody: readonly string[] = []
const NARROW = '(max-width: 719px)'

function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = matchMedia(NARROW)
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => matchMedia(NARROW).matches,
  )
}

/**
 * All replies to one question next to each other, during and after their arrival. A narrow window shows them in tabs.
 */
export function SideBySide({ conversationId, questionId, messages }: SideBySideProps) {
  const tree = useMemo(() => treeOf(messages), [messages])
  const question = tree.get(questionId)
  const answers = tree.childrenOf(questionId).filter(({ role }) => role === 'assistant')
  const live = useChat((state) => state.live[conversationId] ?? noLive)
  const declined = useDeclined((state) => state.byQuestion[questionId] ?? nobody)
  const unsent = useChat((state) => state.unsent[conversationId])
  const receipts = useReceipts((state) => state.receipts)
  const narrow = useNarrow()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [questionId])
  const receiptIds = answers.flatMap((answer) => answer.receiptId ?? []).join('\n')
  useEffect(() => {
    // Load the receipts of all replies, even if only one reply is visible, because the total needs them.
    for (const id of receiptIds.split('\n').filter(Boolean)) void fetchReceipt(id)
  }, [receiptIds])
  const close = () => showSideBySide(conversationId, undefined)
  const coming = answers.filter(({ id }) => live.some(({ answerId }) => answerId === id)).length
  return (
    <section className={styles.room} aria-labelledby="side-by-side">
      <header className={styles.head}>
        <h2 id="side-by-side" ref={heading} tabIndex={-1}>
          <Trans>Side by side</Trans>
        </h2>
        <span className={styles.total}>{coming === 0 ? totalWords(answers, receipts) : null}</span>
        {coming > 0 && (
          <Button title={t`Esc`} onClick={() => stopAnswer(conversationId)}>
            <Trans>Stop all</Trans>
          </Button>
        )}
        <Button onClick={close}>
          <Trans>Back to chat</Trans>
        </Button>
      </header>
      {question && (
        <p className={styles.question} tabIndex={0} role="region" aria-label={t`Question`} dir="auto">
          {question.text}
        </p>
      )}
      {unsent && (
        <FailureNote
          failure={unsent}
          refused={unsent.code.startsWith('privacy/')}
          className={styles.failed}
        />
      )}
      {declined.length > 0 && (
        <Declined conversationId={conversationId} questionId={questionId} models={declined} />
      )}
      {narrow ? (
        <InTabs answers={answers} live={live} />
      ) : (
        <div className={styles.columns} tabIndex={0} role="region" aria-label={t`Replies`}>
          {answers.map((answer) => (
            <Column key={answer.id} answer={answer} live={liveOf(live, answer)} />
          ))}
        </div>
      )}
    </section>
  )
}

function liveOf(live: readonly Live[], { id }: Message): Live | undefined {
  return live.find(({ answerId }) => answerId === id)
}

/** If any cost is unknown, the total is shown as unknown. */
function totalWords(answers: readonly Message[], receipts: Readonly<Record<string, Receipt>>): string {
  const costs = answers
    .filter(({ privacy }) => privacy !== 'refused')
    .map(({ receiptId }) => {
      const receipt = receiptId === undefined ? undefined : receipts[receiptId]
      return receipt && costOf(receipt)
    })
  if (costs.some((cost) => cost === undefined)) return t`Total unknown: some costs weren’t reported`
  const total = formatRecordedUsd(sumPicoUsd(costs))
  return t`Total ${total}`
}

function Declined({
  conversationId,
  questionId,
  models,
}: {
  conversationId: string
  questionId: string
  models: readonly string[]
}) {
  const listed = useChat((state) => state.models)
  const names = formatList(models.map((id) => listed?.find((model) => model.id === id)?.name ?? id))
  return (
    <p className={styles.declined} role="note">
      <Trans>Not asked, to keep this chat private: {names}.</Trans>
      <Button onClick={() => void askReadable({ conversationId, questionId }, models)}>
        <Trans>Review again…</Trans>
      </Button>
    </p>
  )
}

function useName(model: string | undefined): string {
  return useChat((state) => state.models?.find(({ id }) => id === model)?.name ?? model ?? '')
}

function InTabs({ answers, live }: { answers: readonly Message[]; live: readonly Live[] }) {
  const [shown, setShown] = useState<string>()
  const at = answers.find(({ id }) => id === shown) ?? answers[0]
  return (
    <Tabs.Root className={styles.tabs} value={at?.id ?? ''} onValueChange={setShown}>
      <Tabs.List className={styles.tabList} aria-label={t`Replies`}>
        {answers.map((answer) => (
          <Tab key={answer.id} answer={answer} live={liveOf(live, answer)} />
        ))}
      </Tabs.List>
      {answers.map((answer) => (
        <Tabs.Content key={answer.id} value={answer.id} className={styles.tabContent}>
          <Column answer={answer} live={liveOf(live, answer)} />
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}

function Tab({ answer, live }: { answer: Message; live: Live | undefined }) {
  const name = useName(answer.model)
  return (
    <Tabs.Trigger value={answer.id} className={classNames(tabs.tab, styles.tab)}>
      <span className={styles.tabName}>{name}</span>
      <State answer={answer} live={live} />
    </Tabs.Trigger>
  )
}

const stateWords: Readonly<Record<Message['state'], string>> = {
  get streaming() {
    return t`in progress elsewhere`
  },
  get complete() {
    return t`complete`
  },
  get interrupted() {
    return t`interrupted`
  },
  get cancelled() {
    return t`stopped`
  },
  get failed() {
    return t`failed`
  },
}

function State({ answer, live }: { answer: Message; live: Live | undefined }) {
  const { hasText } = useStore(live?.answer.store ?? noAnswer)
  return (
    <span className={styles.state}>
      {live ? (hasText ? t`writing…` : t`waiting…`) : stateWords[answer.state]}
    </span>
  )
}

function Column({ answer, live }: { answer: Message; live: Live | undefined }) {
  const id = useId()
  const name = useName(answer.model)
  const { receiptId, privacy } = answer
  const receipt = useReceipts((state) => (receiptId === undefined ? undefined : state.receipts[receiptId]))
  const failure = useChat((state) => state.endings[answer.id])
  const failed = !live && (answer.state === 'failed' || answer.state === 'interrupted')
  return (
    <article className={styles.column} aria-labelledby={id} aria-busy={live !== undefined}>
      <header className={styles.columnHead}>
        <h3 id={id} className={styles.name}>
          {name}
        </h3>
        <State answer={answer} live={live} />
        {!live &&
          privacy &&
          (receiptId === undefined ? (
            <PrivacyMark privacy={privacy} />
          ) : (
            <ReceiptMark privacy={privacy} receiptId={receiptId} />
          ))}
      </header>
      <div className={styles.body} tabIndex={0} role="region" aria-label={t`Reply from ${name}`}>
        <AnswerBody message={answer} live={live?.answer} />
        {failed && (
          <FailureNote
            failure={failure ?? codedFailure(answer.errorCode ?? 'service/interrupted', answer.errorDetail)}
            refused={privacy === 'refused'}
            isSaved
          />
        )}
      </div>
      {receipt && !live && privacy !== 'refused' && <Figures receipt={receipt} />}
      <footer className={styles.columnFoot}>
        {live ? (
          <Button onClick={live.stop} aria-label={t`Stop ${name}`}>
            <Trans>Stop</Trans>
          </Button>
        ) : (
          answer.text !== '' && (
            <Button onClick={() => void goOnWith(answer)} aria-label={t`Continue with this: ${name}`}>
              <Trans>Continue with this</Trans>
            </Button>
          )
        )}
      </footer>
    </article>
  )
}

function Figures({ receipt }: { receipt: Receipt }) {
  const { firstByteMs } = receipt
  const cost = costOf(receipt)
  return (
    <dl className={styles.figures}>
      <div>
        <dt>
          <Trans>Cost</Trans>
        </dt>
        <dd>{cost === undefined ? t`not reported` : formatRecordedUsd(cost)}</dd>
      </div>
      <div>
        <dt>
          <Trans>Length</Trans>
        </dt>
        <dd>{receipt.usage ? tokenWords(receipt) : t`not reported`}</dd>
      </div>
      <div>
        <dt>
          <Trans>Speed</Trans>
        </dt>
        <dd>{speedWords(receipt) ?? t`unknown`}</dd>
      </div>
      <div>
        <dt>
          <Trans>First token</Trans>
        </dt>
        <dd>{firstByteMs === undefined ? t`unknown` : formatLatency(firstByteMs)}</dd>
      </div>
    </dl>
  )
}
