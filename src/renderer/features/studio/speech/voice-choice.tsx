import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMemo, useRef, useState } from 'react'
import { Virtualizer } from 'virtua'
import { pricePerMillionCharacters } from '../../../../shared/audio-price.ts'
import { spokenLimits } from '../../../../shared/audio-limits.ts'
import { useVoicePrices } from '../../../data/listings.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field } from '../../../ui/field.tsx'
import { formatLanguage } from '../../../ui/format/language-name.ts'
import { formatPrice } from '../../../ui/format/money.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { SelectField } from '../../../ui/select.tsx'
import { chooseSpeech, speechChoice } from './speech-draft.ts'
import columns from '../parts/two-columns.module.css'
import styles from './speech.module.css'
import { VoiceSample } from './voice-sample.tsx'
import { familyOf, languagesOf, voicesFor, type Voice } from './voices.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'

/** Every listed voice, with filters for language and text, and a sample of the selected voice. */
export function VoiceChoice() {
  const { data: listed, failure, refresh } = useVoicePrices()
  const { voice } = useScopedState(speechChoice)
  const chosen = listed?.voices.find(({ id }) => id === voice)
  return (
    <section className={columns.second} aria-label={t`Voice`}>
      <h2>
        <Trans>Voice</Trans>
      </h2>
      {failure && <FailureNote failure={failure} onRetry={refresh} />}
      {!listed && !failure && <Skeleton label={t`Loading voices…`} />}
      {listed?.voices.length === 0 && <Unlisted />}
      {listed && listed.voices.length > 0 && <Listed voices={listed.voices} />}
      {chosen && <VoiceSample key={chosen.id} voice={chosen} />}
    </section>
  )
}

/** Revision A lists no voices, so only their IDs identify them. */
function Unlisted() {
  const { voice, model } = useScopedState(speechChoice)
  return (
    <>
      <p className={styles.quiet}>
        <Trans>This service doesn’t list voices. If you don’t enter one, it uses its default voice.</Trans>
      </p>
      <Field
        label={t`Voice ID`}
        value={voice}
        maxLength={200}
        onChange={({ target }) => chooseSpeech({ voice: target.value.trim() })}
      />
      <Field
        label={t`Model ID`}
        value={model}
        maxLength={200}
        onChange={({ target }) => chooseSpeech({ model: target.value.trim() })}
      />
    </>
  )
}

function Listed({ voices }: { voices: readonly Voice[] }) {
  const [language, setLanguage] = useState('')
  const [text, setText] = useState('')
  const scroller = useRef<HTMLDivElement>(null)
  const found = useMemo(() => voicesFor(voices, language, text), [voices, language, text])
  const languages = useMemo(() => languagesOf(voices), [voices])
  const count = found.length
  return (
    <>
      <div className={styles.filters}>
        <Field
          label={t`Search voices`}
          type="search"
          value={text}
          placeholder={t`Name, family, or ID`}
          onChange={({ target }) => setText(target.value)}
        />
        <SelectField
          label={t`Language`}
          value={language}
          onChange={({ target }) => setLanguage(target.value)}
        >
          <option value="">{t`All languages`}</option>
          {languages.map((tag) => (
            <option key={tag} value={tag}>
              {formatLanguage(tag)}
            </option>
          ))}
        </SelectField>
      </div>
      <p role="status" className={styles.quiet}>
        {count === 0 ? t`No matches` : plural(count, { one: '# voice', other: '# voices' })}
      </p>
      {/* The keyboard must reach a scrollable area: its first radio button takes the focus. */}
      <div ref={scroller} className={styles.scroller} role="radiogroup" aria-label={t`Voices`}>
        <VoiceRow id="" name={t`Service default`} />
        <Virtualizer scrollRef={scroller} data={found} bufferSize={400}>
          {(one) => <VoiceRow key={one.id} id={one.id} name={one.name} voice={one} />}
        </Virtualizer>
      </div>
    </>
  )
}

function VoiceRow({ id, name, voice }: { id: string; name: string; voice?: Voice }) {
  const chosen = useScopedState(speechChoice).voice === id
  const price = useVoicePrices().data?.speaking.find((model) => model.id === voice?.modelId)?.price
  const limit = voice ? formatCount(spokenLimits[familyOf(voice)]) : ''
  const perMillion = price && pricePerMillionCharacters(price)
  const cost = perMillion === undefined ? undefined : formatPrice(perMillion)
  return (
    <label className={styles.voice} data-voice={id}>
      <input
        type="radio"
        name="voice"
        value={id}
        checked={chosen}
        onChange={() => chooseSpeech({ voice: id })}
      />
      <span className={styles.name}>{name}</span>
      {voice && (
        <span className={styles.about}>
          {voice.language !== undefined && <span>{formatLanguage(voice.language)}</span>}
          {voice.provider !== undefined && <span>{t`Family: ${voice.provider}`}</span>}
          <span>{t`${limit} characters per request`}</span>
          {cost !== undefined && <span>{t`${cost} per million characters`}</span>}
        </span>
      )}
    </label>
  )
}
