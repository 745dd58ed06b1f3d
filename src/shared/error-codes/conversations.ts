import type { ErrorEntry } from './error-entry.ts'

/** Chats, their files and prompts. */
export const conversationErrors = {
  'prompt/name-taken': {
    status: 409,
    says: 'Another prompt already has this name.',
    remedy: 'Choose a different name.',
  },
  'prompt/too-many': {
    status: 409,
    says: 'You’ve reached the limit of 2,000 prompts.',
    remedy: 'Delete the ones you don’t use.',
  },
  'folder/unknown': {
    status: 404,
    says: 'Folder not found.',
    remedy: 'It may have been deleted. Its chats are still in the list.',
  },
  'folder/name-taken': {
    status: 409,
    says: 'Another folder already has this name.',
    remedy: 'Choose a different name.',
  },
  'folder/too-many': {
    status: 409,
    says: 'You’ve reached the limit of 500 folders.',
    remedy: 'Delete the ones you don’t use. Their chats stay.',
  },
  'project/unknown': {
    status: 404,
    says: 'Project not found.',
    remedy: 'It may have been deleted.',
  },
  'project/budget-exceeded': {
    status: 402,
    says: 'The project’s budget doesn’t cover the possible cost of this reply. Nothing was sent.',
    remedy: 'Set a lower maximum of reply tokens, or raise the project’s budget.',
  },
  'project/price-unknown': {
    status: 402,
    says: 'The project has a budget, and the reply’s maximum cost is unknown. Nothing was sent.',
    remedy: 'Use a model with a listed price, or remove the project’s budget.',
  },
  'project/too-many': {
    status: 409,
    says: 'You’ve reached the limit of 200 projects.',
    remedy: 'Delete the ones you don’t use. Their chats can stay.',
  },
  'project/private-only': {
    status: 403,
    says: 'This project is private-only. Nothing was sent.',
    remedy: 'Choose a private model, or move the chat out of the project.',
  },
  'project/file-invalid': {
    status: 400,
    says: 'This isn’t a project file, or it was changed after saving. Nothing was imported.',
    remedy: 'Choose another copy of it.',
  },
  'project/file-passphrase': {
    status: 400,
    says: 'This passphrase doesn’t unlock the project file. Nothing was imported.',
    remedy: 'Enter the passphrase that the project was saved with.',
  },
  'project/file-too-large': {
    status: 413,
    says: 'The project file is larger than 500 million characters. Nothing was imported.',
    remedy: 'Save the project again with fewer chats.',
  },
  'project/not-private': {
    status: 409,
    says: 'A chat has messages that weren’t sealed, so it can’t be in a private-only project.',
    remedy: 'Move that chat out of the project, or use a project that isn’t private-only.',
  },
  'voice/invalid-recording': {
    status: 400,
    says: 'This recording can’t be transcribed. Nothing was sent.',
    remedy: 'Record again, and keep it shorter.',
  },
  'voice/empty-text': {
    status: 400,
    says: 'This text has nothing to read aloud. Nothing was sent.',
    remedy: 'Choose another message, or include its code.',
  },
  'voice/reading-ended': {
    status: 404,
    says: 'Reading aloud has already ended. Nothing was sent.',
    remedy: 'Choose “Read aloud” again.',
  },
  'conversation/unknown': {
    status: 404,
    says: 'Chat not found.',
    remedy: 'It may have been deleted.',
  },
  'conversation/message-unknown': {
    status: 404,
    says: 'Message not found in this chat.',
    remedy: 'It may have been deleted. Reopen the chat.',
  },
  'attachment/unknown': {
    status: 404,
    says: 'An attached file is no longer available. Nothing was sent.',
    remedy: 'Remove it from the message, and attach it again.',
  },
  'attachment/empty': {
    status: 400,
    says: 'This file is empty.',
    remedy: 'Choose another one.',
  },
  'attachment/too-large': {
    status: 413,
    says: 'This file is too large. The limit is 15 MB for images and 4 MB of text for everything else.',
    remedy: 'Make it smaller, or attach part of it.',
  },
  'attachment/too-many': {
    status: 413,
    says: 'A message can have up to 20 files.',
    remedy: 'Send the others in another message.',
  },
  'attachment/all-too-large': {
    status: 413,
    says: 'With all its files, this chat exceeds the limit of 48 MB per request. Nothing was sent.',
    remedy: 'Remove files from the message, or continue in a new chat.',
  },
  'attachment/binary': {
    status: 400,
    says: 'Sotto can’t read this type of file.',
    remedy: 'Save it as text, a PDF, or an image, and attach that.',
  },
  'attachment/image-kind': {
    status: 400,
    says: 'Models don’t accept this type of image.',
    remedy: 'Save it as JPEG, PNG, WebP, or GIF, and attach that. Export HEIC photos as JPEG.',
  },
  'attachment/image-damaged': {
    status: 400,
    says: 'This image can’t be read. It’s damaged, or doesn’t match its file name.',
    remedy: 'Open it in another program, save it again, and attach the new file.',
  },
  'attachment/too-many-pixels': {
    status: 413,
    says: 'This image has too many pixels. The limit is 100 megapixels.',
    remedy: 'Make it smaller in another program, and attach that.',
  },
  'attachment/folder': {
    status: 400,
    says: 'This is a folder, or a file that can’t be opened.',
    remedy: 'Attach the files inside it, up to 20.',
  },
  'attachment/pdf-encrypted': {
    status: 400,
    says: 'This PDF is password-protected, so its text can’t be read.',
    remedy: 'Enter its password, or attach a copy without one.',
  },
  'attachment/pdf-wrong-password': {
    status: 400,
    says: 'This password doesn’t open the PDF.',
    remedy: 'Check it and try again.',
  },
  'attachment/pdf-no-text': {
    status: 400,
    says: 'This PDF contains no text. Its pages are images, such as scans.',
    remedy:
      'Recognize the text on this computer, or attach the pages as images to a model that accepts images.',
  },
  'attachment/no-text-recognized': {
    status: 400,
    says: 'Sotto recognized no text in this file.',
    remedy: 'Choose the language of the text, or attach the pages as images to a model that accepts images.',
  },
  'attachment/recognition-failed': {
    status: 500,
    says: 'Sotto couldn’t recognize the text in this file.',
    remedy: 'Try again, or attach the pages as images to a model that accepts images.',
  },
  'attachment/language-data': {
    status: 400,
    says: 'This isn’t a language file for text recognition.',
    remedy: 'Choose a .traineddata or .traineddata.gz file from an npm package named @tesseract.js-data.',
  },
  'attachment/pdf-damaged': {
    status: 400,
    says: 'This PDF can’t be read. It’s damaged, or doesn’t match its file name.',
    remedy: 'Open it in another program, save it again, and attach the new file.',
  },
  'attachment/pdf-too-large': {
    status: 413,
    says: 'This PDF is too large. The limit is 50 MB and 1,000 pages.',
    remedy: 'Attach part of it.',
  },
  'attachment/document-damaged': {
    status: 400,
    says: 'This document can’t be read. It’s damaged or incomplete.',
    remedy: 'Open it in another program, save it again, and attach the new file.',
  },
  'attachment/document-no-text': {
    status: 400,
    says: 'This document contains no text.',
    remedy: 'Choose another one. If it contains only pictures, attach those.',
  },
  'attachment/document-too-large': {
    status: 413,
    says: 'This document is too large. The limit is 50 MB, and 100 MB when unpacked.',
    remedy: 'Attach part of it.',
  },
  'attachment/no-images': {
    status: 400,
    says: 'The selected model doesn’t accept images. Nothing was sent.',
    remedy: 'Choose a model that accepts images, or remove the image.',
  },
  'library/not-conversations': {
    status: 400,
    says: 'No chats in a supported format were found.',
    remedy: 'Choose a chat export as a ZIP, JSON, or JSONL file.',
  },
  'library/archive-invalid': {
    status: 400,
    says: 'This ZIP file is damaged, or in an unsupported format.',
    remedy: 'Download it again, or extract it and choose its JSON files.',
  },
  'library/archive-encrypted': {
    status: 400,
    says: 'This ZIP file is encrypted with a password.',
    remedy: 'Extract it with its password, and choose its JSON files.',
  },
  'library/web-page': {
    status: 400,
    says: 'This is a web page (HTML). Sotto imports chats only from JSON files.',
    remedy: 'Export the chats as JSON. In Google Takeout, choose JSON as the format of My Activity.',
  },
  'library/archive-too-large': {
    status: 413,
    says: 'The ZIP file is too large when extracted. Everything imported so far is saved.',
    remedy: 'Extract it, and choose its JSON files.',
  },
  'library/too-large': {
    status: 413,
    says: 'The file is larger than 500 million characters. Everything imported so far is saved.',
    remedy: 'Split it, and import the rest.',
  },
  'library/newer-version': {
    status: 409,
    says: 'This file was saved by a newer version of Sotto.',
    remedy: 'Install the newer version, and import the file there.',
  },
  'library/backup-invalid': {
    status: 400,
    says: 'This isn’t a chat backup, or it was changed after saving. Everything imported so far is saved.',
    remedy: 'Choose another copy of it.',
  },
  'library/backup-passphrase': {
    status: 400,
    says: 'This passphrase doesn’t unlock the backup.',
    remedy: 'Enter the passphrase that the backup was saved with.',
  },
  'library/import-unknown': {
    status: 409,
    says: 'This import is no longer in progress. Everything imported so far is saved.',
    remedy: 'Start it again when no other import is running.',
  },
} as const satisfies Record<string, ErrorEntry>
