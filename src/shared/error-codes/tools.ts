import type { ErrorEntry } from './error-entry.ts'

/** Tools that a model may call in a chat, and the servers that provide them. */
export const toolErrors = {
  'tools/not-pinned': {
    status: 400,
    says: 'This command downloads or interprets what it runs, so Sotto can’t check the program.',
    remedy:
      'Install the server first. Then add it with its program, such as node, and the full path of its file.',
  },
  'tools/command-unknown': {
    status: 400,
    says: 'The command isn’t a program on this computer.',
    remedy: 'Check the name, or give the full path of the program.',
  },
  'tools/program-too-large': {
    status: 400,
    says: 'The server’s folder has too many files, so Sotto can’t check the program.',
    remedy: 'Install the server in a folder of its own, and add it from there.',
  },
  'tools/variable-refused': {
    status: 400,
    says: 'An environment variable has an invalid name, or changes which code the server loads.',
    remedy: 'Remove this variable.',
  },
  'tools/server-unknown': {
    status: 404,
    says: 'Tool server not found.',
    remedy: 'It may have been removed. Reopen the list.',
  },
  'tools/too-many-servers': {
    status: 400,
    says: 'There are already 20 tool servers.',
    remedy: 'Remove one first.',
  },
  'tools/name-taken': {
    status: 409,
    says: 'There is already a tool server with this name.',
    remedy: 'Choose another name.',
  },
  'tools/server-failed': {
    status: 502,
    says: 'The tool server didn’t start, or it ended early.',
    remedy: 'Check the server’s command and its output in Settings › Tools.',
  },
  'tools/program-changed': {
    status: 409,
    says: 'The tool server’s program has changed since you accepted it, so it wasn’t started.',
    remedy: 'If you updated it, accept the change in Settings › Tools. Otherwise, remove the server.',
  },
  'tools/address-refused': {
    status: 400,
    says: 'This address can’t be used for a tool server.',
    remedy: 'Use https, or http on this computer, without a user name.',
  },
  'tools/server-unreachable': {
    status: 502,
    says: 'The tool server at this address didn’t answer as expected.',
    remedy: 'Check its address, and that it runs.',
  },
  'tools/redirect-refused': {
    status: 502,
    says: 'The tool server redirected to another address. Nothing was sent there.',
    remedy: 'Add the server again with its final address.',
  },
  'tools/sign-in-required': {
    status: 403,
    says: 'This tool server needs you to sign in.',
    remedy: 'Sign in to it in Settings › Tools.',
  },
  'tools/sign-in-refused': {
    status: 502,
    says: 'The sign-in answer came from another address or for another request. No token was saved.',
    remedy: 'Sign in again. If it happens again, remove the server.',
  },
  'tools/sign-in-failed': {
    status: 502,
    says: 'The sign-in failed or took longer than five minutes. No token was saved.',
    remedy: 'Sign in again.',
  },
  'tools/sign-in-unsupported': {
    status: 502,
    says: 'This tool server has no sign-in that Sotto supports.',
    remedy: 'Sotto needs OAuth 2.1 with PKCE and client registration.',
  },
  'tools/call-unknown': {
    status: 404,
    says: 'This tool call doesn’t wait for a decision.',
    remedy: 'It may have been decided or stopped. Reopen the chat.',
  },
  'tools/no-always': {
    status: 403,
    says: 'This tool can only be allowed once at a time.',
    remedy: 'Allow this call once.',
  },
  'tools/no-resume': {
    status: 409,
    says: 'This reply can’t be continued.',
    remedy: 'Regenerate it.',
  },
  'tools/no-window': {
    status: 403,
    says: 'There’s no window here that could ask for consent, so a local key can’t have server tools.',
    remedy: 'Use a key without web search and project documents.',
  },
  'tools/name-reserved': {
    status: 400,
    says: 'A tool of the request has the name of a server tool of this local key.',
    remedy: 'Rename the tool.',
  },
  'tools/loop-limit': {
    status: 409,
    says: 'The model called tools too many times for one reply.',
    remedy: 'Ask again with a narrower question.',
  },
  'tools/spending-limit': {
    status: 402,
    says: 'The requests of this reply reached the spending limit for one reply with tools.',
    remedy: 'Ask again with a narrower question, or choose a less expensive model.',
  },
} as const satisfies Record<string, ErrorEntry>
