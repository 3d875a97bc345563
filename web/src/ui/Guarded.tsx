import { Component, type ComponentType, type ReactNode } from 'react';

interface Props {
  children: ReactNode;
  /** Shown in place of a screen that failed. */
  Broken: ComponentType<{ retry: () => void }>;
}

/** Keeps an error in one screen from breaking the rest of the page. */
export class Guarded extends Component<Props, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  #retry = () => this.setState({ broken: false });
  override render() {
    const { Broken, children } = this.props;
    return this.state.broken ? <Broken retry={this.#retry} /> : children;
  }
}
