import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Pause, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Failure, Reading, VoicePrices } from '../../../../shared/contract/sotto-contract.ts'
import { sumPicoUsd } from '../../../../shared/money.ts'
import { isPrivateOnly } from '../../../../shared/conversation-tree.ts'
import type { Receipt } from '../../../../shared/receipt.ts'
import { spokenLength } from '../../../../shared/audio-limits.ts'
import { useVoicePrices } from '../../../data/listings.ts'
import { useAnswer } from '../../../data/use-answer.ts'
import { announce } from '../../../ui/announcer.tsx'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckField } from '../../../ui/check-field.tsx'
import { askConsent } from '../../../ui/consent-store.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { asFailure } from '../../../ui/failure.ts'
import { formatRecordedUsd } from '../../../ui/format/money.ts'
import { PrivacyMark } from '../../../ui/privacy-mark.tsx'
import { keepReceipts, showReceipt } from '../../../ui/receipt-store.ts'
import { SelectField } from '../../../ui/select.tsx'
import { PiecePlayer } from '../../../ui/sound/piece-player.ts'
import { useChat } from '../chat-store.ts'
import { spokenText } from './spoken-text.ts'
import { estimateOf } from './voice-price.ts'
import { useVoice } from './voice-store.ts'
import styles from './voice.module.css'

type Stage =
  | { readonly name: 'before'; readonly failure?: Failure }
  | { readonly name: 'fetching' }
  | { readonly name: 'playing'; readonly piece: number; readonly paused: boolean }
  | { readonly name: 'over' }

/** Shows what reading a reply aloud costs and who hears it, and then reads it. */
export function ReadAloud({
  id,
  conversationId,
  text: markdown,
}: {
  id: string
  conversationId: string
  text: string
}) {
  const { data: prices } = useVoicePrices()
  const voice = useVoice((state) => state.voice)
  const [withCode, setWithCode] = useState(false)
  const [stage, setStage] = useState<Stage>({ name: 'before' })
  const [times, setTimes] = useState(0)
  const [receipts, setReceipts] = useState<readonly Receipt[]>([])
  const player = useRef<PiecePlayer>(undefined)
  const panel = useRef<HTMLElement>(null)
  const text = spokenText(markdown, withCode)
  const model = prices?.voices.find((one) => one.id === voice)?.modelId
  const preparing = useAnswer<Reading>(
    text === ''
      ? undefined
      : {
          // A reading that was stopped can't be continued, so the next one has another key.
          key: ['voice.prepare', id, text, voice, model, times],
          ask: (context) =>
            api.voice.prepare(
              {
                text,
                conversationId,
                ...(model !== undefined && { model }),
                ...(voice !== undefined && { voice }),
              },
              context,
            ),
        },
    { transient: true },
  )
  const reading = preparing.data
  const privateOnly = useChat((state) =>
    isPrivateOnly(
      state.conversations?.find((one) => one.id === conversationId),
      state.threads[conversationId]?.messages ?? [],
    ),
  )
  useEffect(() => () => player.current?.stop(), [])
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [stage.name])
  const end = () => {
    player.current?.stop()
    player.current = undefined
    if (reading) void api.voice.stop({ id: reading.readingId }).catch(() => undefined)
  }
  const close = () => {
    end()
    useVoice.setState({ reading: undefined })
    document.querySelector<HTMLElement>(`[data-read-aloud="${CSS.escape(id)}"]`)?.focus()
  }
  const read = async ({ readingId, pieces }: Reading) => {
    const consentId = privateOnly
      ? await askConsent({ conversationId, purpose: 'read-aloud', model, text })
      : undefined
    if (consentId === null) return
    const playing = new PiecePlayer()
    player.current = playing
    setReceipts([])
    setStage({ name: 'fetching' })
    try {
      await playing.resume()
      await playing.play(
        pieces.length,
        async (piece) => {
          const { content, receipt } = await api.voice.speak({
            readingId,
            piece,
            ...(consentId !== undefined && { consentId }),
          })
          if (receipt) {
            keepReceipts([receipt])
            setReceipts((before) => [...before, receipt])
          }
          return content
        },
        (piece) => setStage({ name: 'playing', piece, paused: false }),
      )
      // If the reading was stopped, the code that stopped it has set the stage.
      if (player.current !== playing) return
      playing.stop()
      setStage({ name: 'over' })
    } catch (thrown) {
      playing.stop()
      if (player.current === playing) setStage({ name: 'before', failure: asFailure(thrown) })
    }
  }
  const stop = () => {
    end()
    setStage({ name: 'over' })
    announce(t`Stopped.`)
  }
  const turn = async () => {
    if (stage.name !== 'playing') return
    await (stage.paused ? player.current?.resume() : player.current?.pause())
    // The reading may have ended or moved to another piece in the meantime.
    setStage((now) => (now.name === 'playing' ? { ...now, paused: !stage.paused } : now))
  }

  const characters = spokenLength(text)
  const price = reading ? estimateOf(reading.estimate) : t`…`
  const [at, of] = [stage.name === 'playing' ? stage.piece + 1 : 0, reading?.pieces.length ?? 0]
  return (
    <section
      ref={panel}
      className={styles.bar}
      aria-label={t`Read aloud`}
      data-testid="read-aloud"
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault()
          close()
        }
      }}
    >
      {stage.name === 'before' && (
        <>
          <p>
            <PrivacyMark privacy="forwarded" />
          </p>
          <p>
            {privateOnly
              ? t`This chat is private, but reading aloud isn’t: the service can read the text. You see what would be sent and decide.`
              : t`To generate speech, the text is sent to the service, which can read it.`}
          </p>
          {stage.failure && <FailureNote failure={stage.failure} />}
          {preparing.failure && <FailureNote failure={preparing.failure} onRetry={preparing.refresh} />}
          <div className={styles.choices}>
            {prices && prices.voices.length > 0 && <VoiceChoice voices={prices.voices} />}
            <CheckField label={t`Include code`} checked={withCode} onTick={setWithCode} />
          </div>
          <div className={styles.row}>
            <span className={styles.price} role="status">
              {text === ''
                ? t`This reply contains only code.`
                : plural(characters, { one: `# character: ${price}`, other: `# characters: ${price}` })}
            </span>
            <Button onClick={close}>
              <Trans>Cancel</Trans>
            </Button>
            <Button
              kind="primary"
              data-first
              waits={!reading}
              onClick={() => {
                if (reading) void read(reading)
              }}
            >
              <Trans>Read aloud</Trans>
            </Button>
          </div>
        </>
      )}
      {stage.name === 'fetching' && (
        <div className={styles.row}>
          <span className={styles.price} role="status">
            <Trans>Generating the first sentences…</Trans>
          </span>
          <Button data-first onClick={stop}>
            <Trans>Stop</Trans>
          </Button>
        </div>
      )}
      {stage.name === 'playing' && (
        <div className={styles.row}>
          <span className={styles.price}>
            {stage.paused ? t`Paused at part ${at} of ${of}.` : t`Reading part ${at} of ${of}.`}{' '}
            <Cost receipts={receipts} />
          </span>
          <Button data-first onClick={() => void turn()}>
            {stage.paused ? (
              <Play size={14} strokeWidth={1.75} aria-hidden />
            ) : (
              <Pause size={14} strokeWidth={1.75} aria-hidden />
            )}
            {stage.paused ? t`Resume` : t`Pause`}
          </Button>
          <Button onClick={stop}>
            <Trans>Stop</Trans>
          </Button>
        </div>
      )}
      {stage.name === 'over' && (
        <div className={styles.row}>
          <span className={styles.price} role="status">
            <Cost receipts={receipts} />
          </span>
          <Button
            onClick={() => {
              setTimes(times + 1)
              setStage({ name: 'before' })
            }}
          >
            <Trans>Read again</Trans>
          </Button>
          <Button data-first onClick={close}>
            <Trans>Close</Trans>
          </Button>
        </div>
      )}
    </section>
  )
}

/** The cost so far according to the receipts. Each receipt can be opened. */
function Cost({ receipts }: { receipts: readonly Receipt[] }) {
  const known = receipts.flatMap(({ cost }) => cost ?? [])
  const sum = formatRecordedUsd(sumPicoUsd(known))
  const last = receipts.at(-1)
  if (!last) return <Trans>Nothing was charged.</Trans>
  return (
    <>
      {known.length === receipts.length
        ? t`Cost: ${sum}.`
        : t`Cost: at least ${sum}. Part of the cost wasn’t reported.`}{' '}
      <Button kind="link" onClick={() => showReceipt(last.id)}>
        <Trans>Open receipt</Trans>
      </Button>
    </>
  )
}

function VoiceChoice({ voices }: Pick<VoicePrices, 'voices'>) {
  const voice = useVoice((state) => state.voice)
  return (
    <SelectField
      label={t`Voice`}
      value={voice ?? ''}
      onChange={({ target }) => useVoice.setState({ voice: target.value === '' ? undefined : target.value })}
    >
      <option value="">{t`Service default`}</option>
      {voices.map(({ id, name, language }) => (
        <option key={id} value={id}>
          {language === undefined ? name : `${name} (${language})`}
        </option>
      ))}
    </SelectField>
  )
}
