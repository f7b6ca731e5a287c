// Binary frames of the socket, for pages that need no terminal.
export * from '../core/frames'
