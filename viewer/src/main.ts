import './style.css';
import { App } from './app';
import { el } from './dom';

App.start(document.getElementById('app')!).catch((error: Error) => {
  document.getElementById('app')!.replaceChildren(el('p', { className: 'message' }, `This trajectory cannot be shown: ${error.message}`));
});
