import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure, VoicePrices } from '../../../../shared/contract/sotto-contract.ts'
import type { Receipt } from '../../../../shared/receipt.ts'
import { useVoicePrices } from '../../../data/listings.ts'
import { announce } from '../../../ui/announcer.tsx'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { askConsent } from '../../../ui/consent-store.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { asFailure } from '../../../ui/failure.ts'
import { formatRecordedUsd } from '../../../ui/format/money.ts'
import { PrivacyMark } from '../../../ui/privacy-mark.tsx'
import { keepReceipts, showReceipt } from '../../../ui/receipt-store.ts'
import { SelectField } from '../../../ui/select.tsx'
import {
  Recorder,
  RecorderError,
  troubleWords,
  type Recording,
  type RecorderTrouble,
} from '../../../ui/sound/recorder.ts'
import { RecordingMeter } from '../../../ui/sound/recording-meter.tsx'
import { sameService } from '../../../ui/status-store.ts'
import { useLeaving } from '../../../ui/use-action.ts'
import { useChat } from '../chat-store.ts'
import { insertAtCaret } from '../paste.ts'
import { estimateOf, perMinuteWords, recordedWords } from './voice-price.ts'
import { useVoice } from './voice-store.ts'
import styles from './voice.module.css'

interface DictationProps {
  draft: string
  conversationId: string | undefined
  /** The chat's model. */
  chatModel: string | undefined
  /** The speech may go only to an enclave. */
  privateOnly: boolean
  focusText: () => void
}

type Stage =
  | { readonly name: 'before'; readonly trouble?: RecorderTrouble }
  | { readonly name: 'asking' }
  | { readonly name: 'recording'; readonly recorder: Recorder }
  | {
      readonly name: 'recorded'
      readonly recording: Recording
      readonly failure?: Failure
      readonly full?: boolean
    }
  | { readonly name: 'sending'; readonly recording: Recording; readonly id: string }
  | { readonly name: 'written'; readonly receipt: Receipt | undefined; readonly empty: boolean }

/** Consent is requested under this name before a conversation exists. */
const NEW_CONVERSATION = 'new'

/**
 * Dictation from the microphone prompt to the text in the message. A recording stays here until it is transcribed or
 * discarded.
 */
export function Dictation({ draft, conversationId, chatModel, privateOnly, focusText }: DictationProps) {
  const { data: prices } = useVoicePrices()
  const listener = useVoice((state) => state.listener)
  const [stage, setStage] = useState<Stage>({ name: 'before' })
  const recorder = useRef<Recorder>(undefined)
  const leaving = useLeaving()
  const panel = useRef<HTMLElement>(null)
  const listening = prices?.listening ?? []
  useEffect(() => () => void recorder.current?.finish(), [])
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('[data-first]')?.focus()
  }, [stage.name])

  const close = () => {
    useVoice.setState({ dictating: undefined })
    focusText()
  }
  const ended = useCallback(async (full: boolean) => {
    const recording = await recorder.current?.finish()
    recorder.current = undefined
    if (recording) setStage({ name: 'recorded', recording, full })
  }, [])
  const start = async () => {
    setStage({ name: 'asking' })
    try {
      const started = await Recorder.start(() => {
        if (recorder.current === started) void ended(true)
      }, leaving())
      recorder.current = started
      setStage({ name: 'recording', recorder: started })
      announce(t`Recording.`)
    } catch (thrown) {
      setStage({
        name: 'before',
        trouble: thrown instanceof RecorderError ? thrown.trouble : 'not-supported',
      })
    }
  }
  const stop = async () => {
    const left = leaving()
    const finished = recorder.current
    recorder.current = undefined
    const recording = await finished?.finish()
    // The panel may have been closed while the recording ended.
    if (recording && !left.aborted) await write(recording)
  }
  const discard = () => {
    const finished = recorder.current
    recorder.current = undefined
    void finished?.finish()
    close()
  }
  const write = async (recording: Recording) => {
    setStage({ name: 'recorded', recording })
    const projectId = conversationId === undefined ? useChat.getState().beginning.projectId : undefined
    const consentId = privateOnly
      ? await askConsent({
          conversationId: conversationId ?? NEW_CONVERSATION,
          projectId,
          purpose: 'dictate',
          model: listener,
        })
      : undefined
    // The person didn't consent: the recording stays here.
    if (consentId === null) return
    const id = crypto.randomUUID()
    const still = sameService()
    setStage({ name: 'sending', recording, id })
    try {
      const { text, receipt } = await api.voice.transcribe({
        id,
        content: recording.content,
        durationMs: recording.durationMs,
        ...(listener !== undefined && { model: listener }),
        ...(conversationId !== undefined && { conversationId }),
        ...(projectId !== undefined && { projectId }),
        ...(chatModel !== undefined && { chatModel }),
        ...(consentId !== undefined && { consentId }),
      })
      // The message belongs to another service now.
      if (!still()) return
      if (receipt) keepReceipts([receipt])
      const transcript = text.trim()
      if (transcript !== '') insertAtCaret(draft, transcript)
      announce(transcript === '' ? t`No speech detected.` : t`Added to the message.`)
      setStage({ name: 'written', receipt, empty: transcript === '' })
    } catch (thrown) {
      setStage({ name: 'recorded', recording, failure: asFailure(thrown) })
    }
  }

  return (
    <section
      ref={panel}
      className={styles.panel}
      aria-label={t`Dictate`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault()
          // The panel stays open, because an answer that comes before the stop is still inserted.
          if (stage.name === 'sending') stopSending(stage.id)
          else discard()
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
              ? t`Your speech is recorded on this computer. This chat is private, but transcription isn’t: the service can hear the recording. You’re asked before it’s sent.`
              : t`Your speech is recorded on this computer, then sent to the service for transcription. The service can hear it.`}{' '}
            <Trans>Sotto asks for the microphone next and releases it when you stop.</Trans>
          </p>
          {stage.trouble && <Trouble trouble={stage.trouble} />}
          {listening.length > 1 && <ListenerChoice listening={listening} />}
          <div className={styles.row}>
            <span className={styles.price}>
              {prices ? perMinuteWords(listening, listener) : t`Price not reported`}
            </span>
            <Button onClick={close}>
              <Trans>Cancel</Trans>
            </Button>
            <Button kind="primary" data-first onClick={() => void start()}>
              <Trans>Start recording</Trans>
            </Button>
          </div>
        </>
      )}
      {stage.name === 'asking' && (
        <p role="status">
          <Trans>Waiting for microphone access…</Trans>
        </p>
      )}
      {stage.name === 'recording' && (
        <div className={styles.row}>
          <RecordingMeter recorder={stage.recorder} costOf={(ms) => recordedWords(listening, listener, ms)} />
          <Button onClick={discard}>
            <Trans>Cancel</Trans>
          </Button>
          <Button kind="primary" data-first onClick={() => void stop()}>
            <Trans>Stop and transcribe</Trans>
          </Button>
        </div>
      )}
      {stage.name === 'recorded' && (
        <>
          {stage.full && (
            <p>
              <Trans>
                The recording reached the service’s maximum length, or the microphone was disconnected. Your
                recording is still here.
              </Trans>
            </p>
          )}
          {stage.failure && <FailureNote failure={stage.failure} />}
          <div className={styles.row}>
            <span className={styles.price}>
              <Trans>The recording stays here until you decide.</Trans>
            </span>
            <Button onClick={discard}>
              <Trans>Discard</Trans>
            </Button>
            <Button kind="primary" data-first onClick={() => void write(stage.recording)}>
              <Trans>Transcribe</Trans>
            </Button>
          </div>
        </>
      )}
      {stage.name === 'sending' && (
        <div className={styles.row}>
          <span role="status" className={styles.price}>
            <Trans>Transcribing…</Trans>
          </span>
          <Button data-first onClick={() => stopSending(stage.id)}>
            <Trans>Stop</Trans>
          </Button>
        </div>
      )}
      {stage.name === 'written' && <Written receipt={stage.receipt} empty={stage.empty} close={close} />}
    </section>
  )
}

function stopSending(id: string): void {
  void api.voice.stop({ id }).catch(() => undefined)
}

/** Selects a listed transcription model, or leaves the choice to the service. */
function ListenerChoice({ listening }: Pick<VoicePrices, 'listening'>) {
  const listener = useVoice((state) => state.listener)
  return (
    <SelectField
      label={t`Transcription model`}
      value={listener ?? ''}
      onChange={({ target }) =>
        useVoice.setState({ listener: target.value === '' ? undefined : target.value })
      }
    >
      <option value="">{t`Service default`}</option>
      {listening.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

function Written({
  receipt,
  empty,
  close,
}: {
  receipt: Receipt | undefined
  empty: boolean
  close: () => void
}) {
  const cost = receipt?.cost
  const charged = cost === undefined ? undefined : formatRecordedUsd(cost)
  const listed = estimateOf(receipt?.estimate)
  return (
    <div className={styles.row}>
      <span className={styles.price} role="status">
        {empty ? t`No speech detected.` : t`Added to the message.`}{' '}
        {charged !== undefined
          ? t`Cost: ${charged}.`
          : receipt?.estimate
            ? t`The service didn’t report the cost. Estimate from its price list: ${listed}.`
            : t`The service didn’t report the cost.`}
      </span>
      {receipt && (
        <Button onClick={() => showReceipt(receipt.id)}>
          <Trans>Open receipt</Trans>
        </Button>
      )}
      <Button data-first onClick={close}>
        <Trans>Close</Trans>
      </Button>
    </div>
  )
}

function Trouble({ trouble }: { trouble: RecorderTrouble }) {
  return (
    <p role="alert" className={styles.trouble}>
      {troubleWords(trouble)}
    </p>
  )
}
