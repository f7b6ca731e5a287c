// The address of tmux-adapter's own element.
export * from '../terminals/tmux-adapter-web'
