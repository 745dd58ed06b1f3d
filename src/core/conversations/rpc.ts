import { MOST_PROMPTS } from '../../shared/contract/prompts.ts'
import { MAX_DOCUMENT_BYTES } from '../../shared/convertible-document.ts'
import { SottoError } from '../../shared/errors.ts'
import type { Folder } from '../../shared/prompt.ts'
import type { ApiContext } from '../rpc/context.ts'
import { eventsWithFailures } from '../rpc/failure.ts'
import type { Implementer } from '../rpc/implementer.ts'
import {
  addAttachment,
  listDrafts,
  readAttachment,
  removeAttachment,
  saveDraft,
} from './attachments/attached.ts'
import { followChat, regenerateChat, resumeChat, sendChat } from './chat.ts'
import { exposedBy, exposureOf, refuseInProject } from './consented.ts'
import { countTokens } from './count-tokens.ts'
import { addImageTurn } from './image-turn.ts'
import { StoppableCalls } from './stoppable-calls.ts'
import { summarize } from './summarize.ts'
import { Readings } from './voice/readings.ts'
import { transcribe } from './voice/transcribe.ts'

/** For a caller that has no signal. */
const never = new AbortController().signal

/**
 * Implements chatContract. Errors before the turn is stored are thrown (vault/locked, conversation/…,
 * attachment/…, privacy/…). A later failure is in the event `ended`.
 */
export function chatArea(core: ApiContext, os: Implementer['chat']) {
  return {
    send: os.send.handler(({ input, signal, context }) =>
      eventsWithFailures(sendChat(core.open(), input, signal, context.caller)),
    ),
    regenerate: os.regenerate.handler(({ input, signal, context }) =>
      eventsWithFailures(regenerateChat(core.open(), input, signal, context.caller)),
    ),
    resume: os.resume.handler(({ input, signal, context }) =>
      eventsWithFailures(resumeChat(core.open(), input, signal, context.caller)),
    ),
    addImage: os.addImage.handler(({ input }) => addImageTurn(core.open(), input)),
    follow: os.follow.handler(({ input, signal }) =>
      eventsWithFailures(followChat(core.open(), input, signal)),
    ),
    stop: os.stop.handler(({ input }) => ({ stopped: core.open().answers.stop(input.answerId) })),
    summarize: os.summarize.handler(({ input, signal, context }) =>
      eventsWithFailures(summarize(core.open(), input, context.caller.kind, signal)),
    ),
    countTokens: os.countTokens.handler(async ({ input, signal }) => ({
      tokens: await countTokens(core.open(), input, signal),
    })),
  }
}

/**
 * Implements conversationsContract. Throws vault/locked, conversation/unknown,
 * conversation/message-unknown, folder/unknown, store/damaged.
 */
export function conversationsArea(core: ApiContext, os: Implementer['conversations']) {
  const stored = () => core.open().conversations
  return {
    list: os.list.handler(({ input }) => {
      const projectId = input?.projectId
      const listed = stored().list(input?.conversationIds)
      return projectId === undefined ? listed : listed.filter((one) => one.projectId === projectId)
    }),
    watch: os.watch.handler(({ signal = never }) => eventsWithFailures(stored().watch(signal))),
    get: os.get.handler(({ input }) => stored().get(input.conversationId)),
    rename: os.rename.handler(({ input }) => stored().rename(input.conversationId, input.title)),
    pin: os.pin.handler(({ input }) => stored().change(input.conversationId, { pinned: input.pinned })),
    move: os.move.handler(({ input: { conversationId, folderId } }) => {
      if (
        folderId !== null &&
        !core
          .open()
          .store.folders.list()
          .some(({ id }) => id === folderId)
      )
        throw new SottoError('folder/unknown')
      return stored().change(conversationId, { folderId })
    }),
    configure: os.configure.handler(({ input: { conversationId, systemPrompt, parameters, direction } }) =>
      stored().change(conversationId, { systemPrompt, parameters, direction }),
    ),
    trim: os.trim.handler(({ input }) => stored().cut(input.conversationId, input.messageId)),
    show: os.show.handler(({ input }) => stored().show(input.conversationId, input.messageId)),
    fork: os.fork.handler(({ input }) => stored().fork(input.conversationId, input.messageId)),
    remove: os.remove.handler(({ input }) => {
      if (input.messageId === undefined) core.open().answers.stopIn(input.conversationId)
      return stored().remove(input)
    }),
    restore: os.restore.handler(({ input }) => stored().restore(input)),
    endTemporary: os.endTemporary.handler(({ input: { conversationIds } }) => {
      for (const id of conversationIds) core.open().answers.stopIn(id)
      return { ended: stored().endTemporary(conversationIds) }
    }),
  }
}

/** Implements attachmentsContract. Throws vault/locked, attachment/…, store/unwritable, store/damaged. */
export function attachmentsArea(core: ApiContext, os: Implementer['attachments']) {
  return {
    add: os.add.handler(async ({ input: { name, type, content, pages, temporary = false } }) => {
      const { conversations } = core.open()
      return addAttachment(
        conversations,
        { name, type, pages, content: new Uint8Array(await content.arrayBuffer()) },
        temporary,
      )
    }),
    get: os.get.handler(async ({ input }) => {
      const { attachment, content } = await readAttachment(core.open().conversations, input.attachmentId)
      // Never a type that a browser would run or open as a page.
      return new Blob([Uint8Array.from(content)], {
        type: attachment.kind === 'image' ? attachment.type : 'text/plain',
      })
    }),
    remove: os.remove.handler(async ({ input }) => ({
      removed: await removeAttachment(core.open().conversations, input.attachmentId),
    })),
  }
}

/**
 * Implements documentsContract. Nothing is sent before the fee is accepted. Throws vault/locked and the
 * errors of the contract.
 */
export function documentsArea(core: ApiContext, os: Implementer['documents']) {
  const calls = new StoppableCalls()

  return {
    convert: os.convert.handler(({ input: { id, name, content: blob, acceptsFee }, signal, context }) =>
      calls.run(id, signal, async (ended) => {
        const { conversions } = core.open()
        if (blob.size > MAX_DOCUMENT_BYTES) throw new SottoError('document/too-large')
        const content = new Uint8Array(await blob.arrayBuffer())
        if (!acceptsFee && !conversions.has(name, content)) throw new SottoError('document/fee-not-accepted')
        const { text, receiptId, cost } = await conversions.convert({
          name,
          content,
          caller: { kind: context.caller.kind },
          signal: ended,
        })
        if (text === '') throw new SottoError('document/no-text', { receiptId })
        return { text, receiptId, ...(cost !== undefined && { cost: cost.toString() }) }
      }),
    ),
    stop: os.stop.handler(({ input: { id } }) => calls.stop(id)),
  }
}

/** Implements draftsContract. Throws vault/locked, attachment/unknown, store/damaged. */
export function draftsArea(core: ApiContext, os: Implementer['drafts']) {
  return {
    all: os.all.handler(() => listDrafts(core.open().conversations)),
    save: os.save.handler(async ({ input }) => ({
      text: await saveDraft(core.open().conversations, input),
    })),
  }
}

const MOST_FOLDERS = 500

/**
 * Implements foldersContract. Comparing names ignores case. Throws vault/locked, folder/unknown,
 * folder/name-taken, folder/too-many.
 */
export function foldersArea(core: ApiContext, os: Implementer['folders']) {
  const folders = () => core.open().store.folders
  function known(folderId: string): Folder {
    const folder = folders()
      .list()
      .find(({ id }) => id === folderId)
    if (!folder) throw new SottoError('folder/unknown')
    return folder
  }
  function requireFree(name: string, folderId: string | undefined): void {
    if (
      folders()
        .list()
        .some((folder) => folder.id !== folderId && folder.name.toLowerCase() === name.toLowerCase())
    )
      throw new SottoError('folder/name-taken')
  }
  return {
    list: os.list.handler(() => folders().list()),
    create: os.create.handler(({ input: { name, folderId } }) => {
      requireFree(name, folderId)
      if (folders().list().length >= MOST_FOLDERS) throw new SottoError('folder/too-many')
      return folders().put({ name, ...(folderId !== undefined && { id: folderId }) })
    }),
    rename: os.rename.handler(({ input: { folderId, name } }) => {
      const folder = known(folderId)
      requireFree(name, folderId)
      return folders().put({ ...folder, name })
    }),
    collapse: os.collapse.handler(({ input: { folderId, collapsed } }) =>
      folders().put({ ...known(folderId), collapsed }),
    ),
    remove: os.remove.handler(({ input }) => ({ removed: folders().remove(input.folderId) })),
  }
}

/**
 * Implements promptsContract. Comparing names ignores case. An import writes all prompts or none. Throws
 * vault/locked, prompt/name-taken, prompt/too-many.
 */
export function promptsArea(core: ApiContext, os: Implementer['prompts']) {
  const prompts = () => core.open().store.prompts
  return {
    list: os.list.handler(() => prompts().list()),
    save: os.save.handler(({ input: { promptId, name, text } }) => {
      const others = prompts()
        .list()
        .filter(({ id }) => id !== promptId)
      if (others.some((other) => sameName(other.name, name))) throw new SottoError('prompt/name-taken')
      if (others.length >= MOST_PROMPTS) throw new SottoError('prompt/too-many')
      return prompts().put({ name, text, ...(promptId !== undefined && { id: promptId }) })
    }),
    remove: os.remove.handler(({ input }) => ({ removed: prompts().remove(input.promptId) })),
    importItems: os.importItems.handler(({ input }) => {
      const here = prompts().list()
      const names = new Set(here.map(({ name }) => name.toLowerCase()))
      const known = new Set(here.map(({ name, text }) => JSON.stringify([name, text])))
      const added: { name: string; text: string }[] = []
      for (const { name, text } of input.prompts) {
        if (known.has(JSON.stringify([name, text]))) continue
        known.add(JSON.stringify([name, text]))
        const free = freeName(name, names)
        names.add(free.toLowerCase())
        added.push({ name: free, text })
      }
      if (here.length + added.length > MOST_PROMPTS) throw new SottoError('prompt/too-many')
      core.open().store.atOnce(() => added.forEach((prompt) => prompts().put(prompt)))
      return { added: added.length, known: input.prompts.length - added.length }
    }),
  }
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

const NAME_LENGTH = 100

function freeName(name: string, usedNames: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; usedNames.has(free.toLowerCase()); number += 1) {
    const end = ` (${String(number)})`
    free = `${name.slice(0, NAME_LENGTH - end.length)}${end}`
  }
  return free
}

/** Implements libraryContract. Throws vault/locked, and the errors of the Library's methods. */
export function libraryArea(core: ApiContext, os: Implementer['library']) {
  const library = () => core.open().library
  return {
    search: os.search.handler(({ input }) => library().search(input.question, input.limit)),
    export: os.export.handler(({ input, signal = never }) =>
      eventsWithFailures(library().export(input.format, input.conversationId, signal)),
    ),
    backup: os.backup.handler(({ input, signal = never }) =>
      eventsWithFailures(library().backup(input.passphrase, signal)),
    ),
    restoreBegin: os.restoreBegin.handler(({ input }) => ({
      importId: library().beginRestore(input.passphrase),
    })),
    importBegin: os.importBegin.handler(({ input }) => ({
      importId: library().beginImport(input),
    })),
    importPiece: os.importPiece.handler(({ input }) =>
      library().importPiece(input.importId, input.text, input.file),
    ),
    importEnd: os.importEnd.handler(({ input }) =>
      library().endImport(input.importId, input.stopped, input.otherFiles),
    ),
    importUndo: os.importUndo.handler(({ input }) => library().undoImport(input.importId)),
  }
}

/**
 * Implements consentsContract: returns what the call would expose, and a consent to exactly that. Throws
 * vault/locked, conversation/unknown, conversation/message-unknown.
 */
export function consentsArea(core: ApiContext, os: Implementer['consents']) {
  return {
    preview: os.preview.handler(({ input }) => {
      const open = core.open()
      refuseInProject(open, input)
      const exposed = exposedBy(open, input)
      return { ...open.consents.offer({ ...input, exposed }), exposes: exposureOf(exposed) }
    }),
  }
}

/**
 * Implements voiceContract. No part of a private conversation is sent without a consent. Throws
 * vault/locked, voice/…, privacy/…, conversation/unknown, model/unknown, service/….
 */
export function voiceArea(core: ApiContext, os: Implementer['voice']) {
  const readings = new Readings()
  const calls = new StoppableCalls()

  return {
    prices: os.prices.handler(async () => {
      const { listening, speaking, voices } = await core.open().relay.audio()
      const listed = ({ id, name, price }: (typeof listening)[number]) => ({
        id,
        name,
        ...(price && { price }),
      })
      return {
        listening: listening.map(listed),
        speaking: speaking.map(listed),
        voices: voices.map(({ id, name, modelId, language, provider }) => ({
          id,
          name,
          modelId,
          language,
          provider,
        })),
      }
    }),
    transcribe: os.transcribe.handler(({ input, signal, context }) =>
      calls.run(input.id, signal, (ended) => transcribe(core.open(), input, context.caller.kind, ended)),
    ),
    prepare: os.prepare.handler(({ input }) => readings.prepare(core.open(), input)),
    speak: os.speak.handler(({ input, signal, context }) =>
      calls.run(input.readingId, signal, (ended) =>
        readings.speak(core.open(), input, context.caller.kind, ended),
      ),
    ),
    stop: os.stop.handler(({ input: { id } }) => {
      readings.end(id)
      calls.stop(id)
    }),
  }
}
