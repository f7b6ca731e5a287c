// The core of SortableJS without its optional plugins has no types of its own.
declare module 'sortablejs/modular/sortable.core.esm.js' {
  export { AutoScroll, default } from 'sortablejs'
}
