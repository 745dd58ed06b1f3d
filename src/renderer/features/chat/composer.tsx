import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useCallback, useMemo, useRef, useEffect, type KeyboardEvent } from 'react'
import { shownAfterCut } from '../../../shared/context-cut.ts'
import type { Conversation, Message } from '../../../shared/conversation.ts'
import type { ShownMessage } from '../../../shared/conversation-tree.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { passageTokens } from '../../../shared/passage-text.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { codedFailure } from '../../ui/failure.ts'
import { Form } from '../../ui/field.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { isReactImeKey } from '../../ui/ime-key.ts'
import { useCurrentChat } from '../../ui/current-chat.ts'
import { sealOf } from '../../ui/seal.ts'
import { useStatus } from '../../ui/status-store.ts'
import { useVerdictState } from '../../ui/verdict-store.ts'
import { attachmentsOf, isReading, attachedFiles, useAttached } from './attachments/attached-store.ts'
import {
  allAttachments,
  hasImages,
  modelsForImages,
  notSurelyForImages,
  takesImages,
  tooLarge,
} from './attachments/what-is-sent.ts'
import { useDraftKeeping } from './attachments/drafts.ts'
import { guarded } from './branches.ts'
import { beginEdit, compareModels, loadModels, NEW, pickModel, setDraft, useChat } from './chat-store.ts'
import { isUnlisted, modelFor, needsConsent, refusalOf } from './choose-model.ts'
import { ComposerBelow } from './composer-below.tsx'
import { ComposerTools } from './composer-tools.tsx'
import styles from './composer.module.css'
import { jumpTo } from './jump.ts'
import { ModelPicker } from './model-picker.tsx'
import type { ComposerPassagesProps } from './passages/composer-passages.tsx'
import { chosenPassages, usePassages } from './passages/passage-store.ts'
import { handlePaste } from './paste.ts'
import { ComposerSlash, takenBySlash, useSlashAria } from './prompts/composer-slash.tsx'
import { usePromptTokens } from './prompt-tokens.ts'
import { searchFor, send, sendOnceKnown, stopAnswer } from './send.ts'
import { TemporaryMark } from './temporary-mark.tsx'
import { hasLongWord } from './text-order.tsx'
import { SendButton, StopButton } from './send-button.tsx'
import { ComposerDictation, MicTool } from './voice/mic-tool.tsx'

/** For attached files. */
const ComposerFiles = lazyComponent(
  async () => (await import('./attachments/composer-files.tsx')).ComposerFiles,
)
const ImagesNote = lazyComponent(async () => (await import('./attachments/images-note.tsx')).ImagesNote)
const UnlistedModelNote = lazyComponent(
  async () => (await import('./unlisted-model-note.tsx')).UnlistedModelNote,
)
const ContextOverflow = lazyComponent(async () => (await import('./context-overflow.tsx')).ContextOverflow)
/** For a project with files. */
const ComposerPassages = lazyComponent<ComposerPassagesProps>(
  async () => (await import('./attachments/composer-files.tsx')).ComposerPassages,
)
/** For several models at once. */
const CompareBelow = lazyComponent(async () => (await import('./compare-below.tsx')).CompareBelow)

interface ComposerProps {
  conversation: Conversation | undefined
  /** Messages of every branch. */
  messages: readonly Message[]
  shown: readonly ShownMessage[]
}

/** The message field. It shows, before anything is sent, who will be able to read it and what it costs. */
export function Composer({ conversation: stored, messages, shown }: ComposerProps) {
  const key = stored?.id ?? NEW
  const conversation = useMemo(() => guarded(stored, messages), [stored, messages])
  const text = useChat((state) => state.drafts[key] ?? '')
  const live = useChat((state) => state.live[key] !== undefined)
  const sending = useChat((state) => state.sending[key] === true)
  const unsent = useChat((state) => state.unsent[key])
  const model = useChat((state) =>
    modelFor(state.models, state.picked[key], conversation, state.conversations),
  )
  const listingFailure = useChat((state) => (state.models ? undefined : state.modelsFailure))
  const listingPending = useChat((state) => !state.models && !state.modelsFailure)
  const service = useStatus((state) => state.status?.service)
  const temporary = useChat((state) => (stored ? stored.temporary : state.beginning.temporary) === true)
  const systemPrompt = useChat((state) => (stored ?? state.beginning).systemPrompt ?? '')
  const direction = useChat((state) => (stored ?? state.beginning).direction)
  const parameters = useChat((state) => (stored ?? state.beginning).parameters)
  const compared = useChat((state) => state.compared[key])
  const searching = useChat(
    (state) =>
      model !== undefined &&
      searchFor(key, model).webSearch !== undefined &&
      state.searches[key] !== undefined,
  )
  const unlisted = useChat((state) => (compared ?? [model]).find((id) => isUnlisted(state.models, id)))
  const refusal = (compared ?? [model])
    .map((id) => (id === undefined ? undefined : refusalOf(id, service)))
    .find((reason) => reason !== undefined)
  const asks = (compared ?? [model]).some((id) => id !== undefined && needsConsent(id, conversation))
  const currentChat = useCurrentChat()
  const most = compared?.find((id) => !isPrivateModel(id)) ?? compared?.[0] ?? model
  const verdict = useVerdictState()
  const privacy =
    model === undefined || most === undefined || unlisted !== undefined
      ? undefined
      : sealOf({
          isPrivate: isPrivateModel(most),
          isBlocked: refusal !== undefined,
          verdict,
          currentChat,
        })
  const files = useAttached((state) => state.files[key])
  const unkept = useDraftKeeping((state) => state.failure !== undefined)
  const cut = conversation?.contextCut
  const sent = useMemo(() => shownAfterCut(shown, cut).map(({ message }) => message), [shown, cut])
  const attached = useMemo(() => attachedFiles(files ?? []), [files])
  const going = useMemo(() => allAttachments(sent, attached), [sent, attached])
  const projectId = useChat((state) => (stored ?? state.beginning).projectId)
  const passages = usePassages()
  const chosen = chosenPassages(passages, key, projectId)
  const tokens =
    usePromptTokens({ draft: key, shown, systemPrompt, cut, text, attached }) + passageTokens(chosen)
  const listed = useChat((state) => state.models?.find(({ id }) => id === model))
  const contextLength = listed?.contextLength
  const asked = compared ?? [model]
  const unsure = useChat((state) =>
    hasImages(going) ? notSurelyForImages(state.models ?? [], asked) : undefined,
  )
  const blind = takesImages(unsure) === false ? unsure : undefined
  const models = useChat((state) => state.models)
  const large = tooLarge(going)
  // While passages are found, the person can't see what goes with the message.
  const isBlocked =
    blind !== undefined ||
    unlisted !== undefined ||
    large ||
    passages.finding[key] ||
    files?.some(isReading) === true
  const area = useRef<HTMLTextAreaElement>(null)
  // Ctrl or Cmd, Shift and V pastes text as text, however long it is. A paste event doesn't name its keys.
  const pastesAsText = useRef(false)
  useEffect(() => {
    // In browsers without `field-sizing`, the field needs its height set to that of its text.
    const element = area.current
    if (!element || CSS.supports('field-sizing', 'content')) return
    element.style.height = 'auto'
    element.style.height = `${element.scrollHeight}px`
  }, [text])

  useEffect(() => area.current?.focus(), [key])
  useEffect(() => {
    // Sending removes the element that had the focus, such as an edited question or the Regenerate button.
    if (live && document.activeElement === document.body) area.current?.focus()
  }, [live])

  const focusText = useCallback(() => area.current?.focus(), [])
  const slashAria = useSlashAria()
  const empty = text.trim() === '' && !files?.some(({ attachment }) => attachment)
  const submit = () => {
    if (empty || isBlocked || refusal !== undefined || live || sending) return
    const attachmentIds = attachmentsOf(key).map(({ id }) => id)
    const passageIds = chosen.map(({ id }) => id)
    if (compared)
      void import('./compare.ts').then(({ sendToEach }) =>
        sendToEach(conversation?.id, text, compared, attachmentIds, passageIds),
      )
    else if (model === undefined || listingPending)
      void sendOnceKnown(conversation?.id, text, attachmentIds, model, passageIds)
    else void send({ conversationId: conversation?.id, model, text, attachmentIds, passageIds })
  }
  const editLast = (event: KeyboardEvent) => {
    const last = shown.findLast(
      ({ message }) => message.role === 'user' && message.jobId === undefined,
    )?.message
    if (!last) return
    event.preventDefault()
    beginEdit(last)
    jumpTo(last.id)
  }
  const pressed = (event: KeyboardEvent) => {
    pastesAsText.current = event.shiftKey && (event.ctrlKey || event.metaKey)
    if (takenBySlash(event)) return
    if (event.key === 'ArrowUp' && text === '' && !isReactImeKey(event)) return editLast(event)
    // Enter also ends an input method's composition, which must not send the message.
    if (event.key !== 'Enter' || event.shiftKey || isReactImeKey(event)) return
    event.preventDefault()
    submit()
  }

  return (
    <Form className={styles.composer} onSubmit={submit} data-privacy={privacy}>
      {unsent && (
        <FailureNote
          failure={unsent}
          refused={unsent.step !== undefined || unsent.code.startsWith('privacy/')}
          className={styles.unsent}
        />
      )}
      {large && <FailureNote failure={codedFailure('attachment/all-too-large')} className={styles.unsent} />}
      {listingFailure && (
        <FailureNote failure={listingFailure} className={styles.unsent}>
          <Button onClick={() => void loadModels()}>
            <Trans>Refresh models</Trans>
          </Button>
        </FailureNote>
      )}
      <div className={styles.box} data-privacy={privacy}>
        <ComposerDictation draft={key} conversation={conversation} model={model} focusText={focusText} />
        <ComposerSlash draft={key} text={text} focusText={focusText} />
        {(files !== undefined || unkept) && <ComposerFiles draft={key} focusText={focusText} />}
        {projectId !== undefined && (
          <ComposerPassages
            draft={key}
            projectId={projectId}
            text={text}
            model={compared ? undefined : listed}
          />
        )}
        {unlisted !== undefined && (
          <UnlistedModelNote
            id="unlisted-model"
            modelId={unlisted}
            imported={conversation?.imported === true}
          />
        )}
        {unsure && (
          <ImagesNote
            name={unsure.name}
            sure={blind !== undefined}
            offers={blind ? modelsForImages(models ?? [], blind) : []}
            onPick={(id) => {
              compareModels(key, [])
              pickModel(key, id)
              focusText()
            }}
          />
        )}
        {listed && contextLength !== undefined && tokens >= contextLength && !compared && !live && (
          <ContextOverflow
            conversation={conversation}
            sent={sent}
            tokens={tokens}
            model={{ ...listed, contextLength }}
            onPick={(id) => {
              pickModel(key, id)
              focusText()
            }}
            onDone={focusText}
          />
        )}
        <textarea
          ref={area}
          data-composer
          {...slashAria}
          className={styles.text}
          data-long-word={hasLongWord(text)}
          value={text}
          onChange={(event) => setDraft(key, event.target.value)}
          onKeyDown={pressed}
          onKeyUp={() => {
            pastesAsText.current = false
          }}
          onPaste={(event) => {
            const asText = pastesAsText.current
            pastesAsText.current = false
            if (!asText && handlePaste(key, event.clipboardData)) event.preventDefault()
          }}
          rows={1}
          // An empty field follows the direction of the language, because its placeholder does.
          dir={direction ?? (text === '' ? undefined : 'auto')}
          placeholder={shown.length > 0 ? t({ message: 'Reply', context: 'placeholder' }) : t`Ask anything`}
          aria-label={t`Message`}
          aria-describedby={unlisted === undefined ? 'who-reads' : 'unlisted-model'}
        />
        <div className={styles.row}>
          <span className={styles.choices}>
            <ComposerTools draft={key} conversation={conversation} model={model} focusText={focusText} />
            <ModelPicker
              draft={key}
              model={model}
              conversation={conversation}
              onPick={(id) => {
                pickModel(key, id)
                focusText()
              }}
              onDone={focusText}
            />
            {temporary && <TemporaryMark />}
          </span>
          <MicTool draft={key} />
          {live ? (
            <StopButton onStop={() => stopAnswer(key)} />
          ) : (
            <SendButton
              label={asks ? t`Send non-privately…` : t`Send`}
              busy={sending && (model === undefined || listingPending ? t`Loading models…` : t`Sending…`)}
              disabled={empty || isBlocked || refusal !== undefined}
            />
          )}
        </div>
      </div>
      {unlisted !== undefined ? null : compared ? (
        <CompareBelow
          draft={key}
          models={compared}
          privacy={privacy}
          refusal={refusal}
          isPrivateChat={conversation?.private === true}
          shown={shown}
          systemPrompt={systemPrompt}
          parameters={parameters}
          cut={cut}
          text={text}
          attached={attached}
        />
      ) : (
        <ComposerBelow
          tokens={tokens}
          priced={!empty || searching}
          model={model}
          privacy={privacy}
          refusal={refusal}
          asks={asks}
          parameters={parameters}
          searching={searching}
        />
      )}
    </Form>
  )
}
