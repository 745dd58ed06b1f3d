import { useMemo, useRef, useEffect, type SyntheticEvent, type KeyboardEvent } from 'react'
import type { Conversation, Message } from '../../../shared/conversation.ts'
import type { ShownMessage } from '../../../shared/conversation-tree.ts'
import { isPrivateModel, type Privacy } from '../../../shared/privacy.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { useStatus } from '../../ui/status-store.ts'
import { guarded } from './branches.ts'
import { loadModels, NEW, pickModel, setDraft, setEdit, useChat } from './chat-store.ts'
import { modelFor, needsConsent, refusalOf } from './choose-model.ts'
import { ComposerBelow } from './composer-below.tsx'
import { ComposerTools } from './composer-tools.tsx'
import styles from './composer.module.css'
import { jumpTo } from './jump.ts'
import { ModelPicker } from './model-picker.tsx'
import { send, sendOnceKnown, stopAnswer } from './send.ts'
import { TemporaryMark } from './temporary-mark.tsx'

interface ComposerProps {
  conversation: Conversation | undefined
  /** Of every branch. */
  messages: readonly Message[]
  shown: readonly ShownMessage[]
}

/** Where a message is written. It says, before anything is sent, who will be able to read it and what it costs. */
export function Composer({ conversation: stored, messages, shown }: ComposerProps) {
  const key = stored?.id ?? NEW
  const conversation = useMemo(() => guarded(stored, messages), [stored, messages])
  const text = useChat((state) => state.drafts[key] ?? '')
  const live = useChat((state) => state.live[key] !== undefined)
  const sending = useChat((state) => state.sending[key] === true)
  const unsent = useChat((state) => state.unsent[key])
  const model = useChat((state) => modelFor(state.models, state.picked[key], conversation, state.conversations))
  const unlisted = useChat((state) => (state.models ? undefined : state.modelsFailure))
  const service = useStatus((state) => state.status?.service)
  const temporary = useChat((state) => (stored ? stored.temporary : state.beginning.temporary) === true)
  const systemPrompt = useChat((state) => (stored ?? state.beginning).systemPrompt ?? '')
  const refusal = model === undefined ? undefined : refusalOf(model, service)
  const asks = model !== undefined && needsConsent(model, conversation)
  const privacy = model === undefined ? undefined : whoReads(model, refusal)
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // Where the browser does not make the field as tall as its text by itself.
    const element = area.current
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [text])

  useEffect(() => area.current?.focus(), [key])
  useEffect(() => {
    // What was pressed is gone with what it sent: an edited question, or the end of an answer that is asked for again.
    if (live && document.activeElement === document.body) area.current?.focus()
  }, [live])

  const focusText = () => area.current?.focus()
  const empty = text.trim() === ''
  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault()
    if (empty || refusal !== undefined || live || sending) return
    if (model === undefined) void sendOnceKnown(conversation?.id, text)
    else void send({ conversationId: conversation?.id, model, text })
  }
  const editLast = (event: KeyboardEvent) => {
    const last = shown.findLast(({ message }) => message.role === 'user')?.message
    if (!last) return
    event.preventDefault()
    setEdit(last.id, last.text)
    jumpTo(last.id)
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' && text === '' && !event.nativeEvent.isComposing) return editLast(event)
    // Enter also ends the composition of an input method: that one sends nothing.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }

  return (
    <form className={styles.composer} onSubmit={submit} data-privacy={privacy}>
      {unsent && <FailureNote failure={unsent} refused={unsent.step !== undefined || unsent.code.startsWith('privacy/')} className={styles.unsent} />}
      {unlisted && <FailureNote failure={unlisted} className={styles.unsent}><Button onClick={() => void loadModels()}>Fetch the models again</Button></FailureNote>}
      <div className={styles.box} data-privacy={privacy}>
        <textarea
          ref={area}
          className={styles.text}
          value={text}
          onChange={(event) => setDraft(key, event.target.value)}
          onKeyDown={pressed}
          rows={1}
          placeholder="Write a message"
          aria-label="Message"
          aria-describedby="who-reads"
        />
        <div className={styles.row}>
          <span className={styles.choices}>
            <ModelPicker model={model} conversation={conversation} onPick={(id) => { pickModel(key, id); focusText() }} />
            <ComposerTools draft={key} conversation={conversation} model={model} focusText={focusText} />
            {temporary && <TemporaryMark />}
          </span>
          {live
            ? <Button onClick={() => stopAnswer(key)} title="Esc">Stop</Button>
            : <Button kind="primary" type="submit" busy={sending && (model === undefined ? 'Fetching the models…' : 'Sending…')} disabled={empty || refusal !== undefined} title="Enter">{asks ? 'Send in the open…' : 'Send'}</Button>}
        </div>
      </div>
      <ComposerBelow model={model} privacy={privacy} refusal={refusal} asks={asks} shown={shown} systemPrompt={systemPrompt} text={text} />
    </form>
  )
}

function whoReads(model: string, refusal: string | undefined): Privacy {
  if (refusal !== undefined) return 'refused'
  return isPrivateModel(model) ? 'sealed' : 'forwarded'
}
